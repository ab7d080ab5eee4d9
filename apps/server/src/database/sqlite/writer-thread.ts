/** The thread that writes. It waits for the disk and for locks of other processes, so that reads do not. */
import { parentPort, workerData } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended } from '../database.ts';
import { reasonOf } from '../reason.ts';
import { connect } from './connect.ts';
import { codeOf } from './errors.ts';

export interface WriterData {
  readonly file: string;
  readonly applicationId: number;
}

/** The work of one transaction. */
export interface WriterTask {
  readonly additions?: readonly Addition[];
  /** `values` has two items: the array of the query's constants, and its parameters by name. */
  readonly statements?: readonly { readonly sql: string; readonly values: readonly unknown[] }[];
}

export interface WriterOutcome {
  readonly appended: Appended[];
  /** The rows of each statement. */
  readonly results: unknown[][][];
}

/** A message between threads loses the class and the code of an error. */
export type WriterReply = WriterOutcome | { readonly message: string; readonly code: string };

type CreateAppend = (connection: BetterSqlite3.Database) => (additions: readonly Addition[]) => Appended[];

export function runWriter(createAppend: CreateAppend): void {
  let writer: ReturnType<typeof openWriter> | undefined;

  function replyTo(task: WriterTask): WriterReply {
    try {
      // Opening is retried with each task until it succeeds.
      writer ??= openWriter(workerData, createAppend);
      // A transaction that begins by reading could not wait for the write lock later.
      return writer.transaction.immediate(task);
    } catch (error) {
      return { message: reasonOf(error), code: codeOf(error) };
    }
  }

  parentPort?.on('message', (task: WriterTask | 'close') => {
    if (task !== 'close') return parentPort?.postMessage(replyTo(task));
    writer?.connection.close();
    parentPort?.close();
  });
}

function openWriter({ file, applicationId }: WriterData, createAppend: CreateAppend) {
  const connection = connect(file, applicationId);
  try {
    // Writes of a killed process are visible, but perhaps not durable. This commit, which changes nothing, makes them
    // durable before a caller learns that its row was added.
    connection.pragma(`application_id = ${applicationId}`);
    const append = createAppend(connection);
    const transaction = connection.transaction(({ additions = [], statements = [] }: WriterTask) => ({
      appended: append(additions),
      results: statements.map(({ sql, values }) => {
        const statement = connection.prepare<unknown[], unknown[]>(sql);
        if (statement.reader) return statement.raw().all(...values);
        statement.run(...values);
        return [];
      }),
    }));
    return { connection, transaction };
  } catch (error) {
    connection.close();
    throw error;
  }
}
