/** The thread that writes: it waits for the disk and for the locks of other processes, and no request waits with it. */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { Addition, Appended } from '../database.ts';
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
 * Work for the thread that writes. It replies to each message in turn, but for `rollback`. Arrays in place of objects would
 * save 1 % of the processor time of a creation (0.8 of 60 to 100 µs), and a JSON text nothing.
 */
export type WriterTask =
  | { readonly kind: 'append'; readonly additions: readonly Addition[] }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | { readonly kind: 'run'; readonly sql: string; readonly values: readonly unknown[] };

export type WriterMessage = WriterTask | { readonly kind: 'close' };

/** What the thread replies: the outcome of an append, the rows of a statement, nothing, or why it failed. */
export interface WriterReply {
  readonly appended?: readonly Appended[];
  readonly columns?: readonly string[];
  readonly rows?: readonly unknown[][];
  readonly error?: { readonly message: string; readonly code: string | undefined };
}

/** How long a transaction waits for the lock of another process: less than callers wait for the thread. */
const LOCK_TIMEOUT_MS = 4_000;

let writer: ReturnType<typeof openWriter> | undefined;

// Before there is something to write, so that the first creation does not wait for it. What fails is tried again then.
replyTo({ kind: 'rollback' });

parentPort?.on('message', (message: WriterMessage) => {
  if (message.kind === 'close') {
    writer?.close();
    parentPort?.close();
    return;
  }
  const reply = replyTo(message);
  if (message.kind !== 'rollback') parentPort?.postMessage(reply);
});

function replyTo(task: WriterTask): WriterReply {
  try {
    writer ??= openWriter(workerData);
    return writer.reply(task);
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
  // Takes the write lock at once: a transaction that begins by reading could not wait for it later.
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((text) =>
    connection.prepare(text),
  );
  const statements = new Map<string, BetterSqlite3.Statement<unknown[], unknown[]>>();

  function commitDurably(): void {
    commit?.run();
    // What is in a file that was moved away must not be acknowledged.
    files.checkNow();
  }

  /** After some errors, such as a full disk, SQLite has rolled back already. */
  function undo(): void {
    if (connection.inTransaction) rollback?.run();
  }

  function run(text: string, values: readonly unknown[]): WriterReply {
    const statement = statements.get(text) ?? connection.prepare<unknown[], unknown[]>(text);
    statements.set(text, statement);
    if (!statement.reader) {
      statement.run(...values);
      return {};
    }
    const rows = statement.raw().all(...values);
    return { columns: statement.columns().map(({ name }) => name), rows };
  }

  return {
    reply(task: WriterTask): WriterReply {
      switch (task.kind) {
        case 'append': {
          try {
            begin?.run();
            const appended = append(task.additions);
            commitDurably();
            return { appended };
          } finally {
            undo();
          }
        }
        case 'begin':
          begin?.run();
          return {};
        case 'run':
          return run(task.sql, task.values);
        case 'commit':
          commitDurably();
          return {};
        case 'rollback':
          undo();
          return {};
      }
    },
    close(): void {
      // SQLite would leave the log of a file that was moved away, and the next start would take it for that of the file in
      // its place.
      if (files.findChanged() !== undefined) connection.pragma('wal_checkpoint(TRUNCATE)');
      connection.close();
    },
  };
}
