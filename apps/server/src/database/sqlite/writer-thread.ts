/** The thread that writes: it waits for the disk and for the locks of other processes, and no request waits with it. */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended } from '../database.ts';
import type { Result } from '../query.ts';
import type { AppendTables } from '../schema.ts';
import { createAppend } from './append.ts';
import { connect } from './connect.ts';
import { type FileIdentities, FileWatch } from './file-watch.ts';

/** What the thread is started with. */
export interface WriterData {
  readonly file: string;
  readonly applicationId: number;
  /** Those of the file and its log when the database was opened. */
  readonly identities: FileIdentities;
  readonly tables: AppendTables;
}

/**
 * Work for the thread that writes, which does it in one transaction, and replies to each message in turn. Arrays in place
 * of objects would save 1 % of the processor time of a creation (0.8 of 60 to 100 µs), and a JSON text nothing.
 */
export type WriterTask =
  | { readonly kind: 'append'; readonly additions: readonly Addition[] }
  | { readonly kind: 'run'; readonly statements: readonly WriterStatement[] };

interface WriterStatement {
  readonly sql: string;
  /** The constants of the query, and the values of its parameters by their names. */
  readonly values: readonly unknown[];
}

/** The last message ends the thread. */
export type WriterMessage = WriterTask | 'close';

/** What the thread replies: the outcome of an append, the rows of each statement, or why the work failed. */
export interface WriterReply {
  readonly appended?: readonly Appended[];
  readonly results?: readonly Result[];
  readonly error?: { readonly message: string; readonly code: string | undefined };
}

/** How long a transaction waits for the lock of another process: less than callers wait for the thread. */
const LOCK_TIMEOUT_MS = 4_000;

let writer: ReturnType<typeof openWriter> | undefined;

try {
  // Before there is something to write, so that the first creation does not wait for it.
  writer = openWriter(workerData);
} catch {
  // The first task tries again, and tells.
}

parentPort?.on('message', (message: WriterMessage) => {
  if (message !== 'close') {
    parentPort?.postMessage(replyTo(message));
    return;
  }
  writer?.close();
  parentPort?.close();
});

function replyTo(task: WriterTask): WriterReply {
  try {
    writer ??= openWriter(workerData);
    return writer.perform(task);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: { message, code: error instanceof BetterSqlite3.SqliteError ? error.code : undefined } };
  }
}

function openWriter({ file, applicationId, identities, tables }: WriterData) {
  const files = new FileWatch(identities);
  const connection = connect(file, applicationId, LOCK_TIMEOUT_MS);
  try {
    // The path may lead to another file by now.
    files.checkNow();
    syncLog(`${file}-wal`);
    return createWriter(connection, files, createAppend(connection, tables));
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * What a process that was killed had written is visible, though perhaps not durable. It must be before a repetition is
 * told that its row was added.
 */
function syncLog(log: string): void {
  const descriptor = openSync(log, 'r+');
  try {
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function createWriter(
  connection: BetterSqlite3.Database,
  files: FileWatch,
  append: ReturnType<typeof createAppend>,
) {
  function run({ sql, values }: WriterStatement) {
    const statement = connection.prepare<unknown[], unknown[]>(sql);
    if (statement.reader) {
      const rows = statement.raw().all(...values);
      return { columns: statement.columns().map(({ name }) => name), rows };
    }
    statement.run(...values);
    return { columns: [], rows: [] };
  }

  const transaction = connection.transaction(
    (task: WriterTask): WriterReply =>
      task.kind === 'append' ? { appended: append(task.additions) } : { results: task.statements.map(run) },
  );

  return {
    perform(task: WriterTask): WriterReply {
      // Takes the write lock at once: a transaction that begins by reading could not wait for it later.
      const reply = transaction.immediate(task);
      // What is in a file that was moved away must not be acknowledged.
      files.checkNow();
      return reply;
    },
    close(): void {
      // SQLite would leave the log of a file that was moved away, and the next start would take it for that of the file in
      // its place.
      if (files.findChanged() !== undefined) connection.pragma('wal_checkpoint(TRUNCATE)');
      connection.close();
    },
  };
}
