/** The thread that writes: it waits for the disk and for the locks of other processes, and no request waits with it. */
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
  /** Statements, each with the constants of its query and the values of its parameters by their names. */
  readonly statements?: readonly { readonly sql: string; readonly values: readonly unknown[] }[];
}

/** The outcome of each addition, and the rows of each statement. */
export interface WriterOutcome {
  readonly appended: Appended[];
  readonly results: unknown[][][];
}

/** The reply to a task. A message between threads loses the class and the code of an error. */
export type WriterReply = WriterOutcome | { readonly message: string; readonly code: string };

/** Creates the function that appends rows, in a transaction that has begun. */
type CreateAppend = (connection: BetterSqlite3.Database) => (additions: readonly Addition[]) => Appended[];

/** Runs the tasks that the main thread sends, in their order. */
export function runWriter(createAppend: CreateAppend): void {
  let writer: ReturnType<typeof openWriter> | undefined;

  function replyTo(task: WriterTask): WriterReply {
    try {
      // Opening is retried with each task until it succeeds.
      writer ??= openWriter(workerData, createAppend);
      // The write lock is taken at once: a transaction that begins by reading could not wait for it later.
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
    // Writes of a killed process are visible, but perhaps not durable. This commit makes them durable before a caller
    // learns that its row was added. It changes nothing.
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
