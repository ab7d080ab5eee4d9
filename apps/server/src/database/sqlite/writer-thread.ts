/** The thread that writes. It waits for the disk and for locks of other processes, so that reads do not. */
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { AddedPet, PetAddition } from '../database.ts';
import type { Result } from '../driver.ts';
import { reasonOf } from '../reason.ts';
import { APPLICATION_ID } from '../tables.ts';
import { createAppend } from './append-pets.ts';
import { connect } from './connect.ts';
import { codeOf } from './errors.ts';
import { prepareStatement, type StatementData } from './statement.ts';

/** Work of the thread. `append` and `run` are transactions of their own. */
export type WriterTask =
  | { readonly kind: 'append'; readonly additions: readonly PetAddition[] }
  | { readonly kind: 'run' | 'continue'; readonly statement: StatementData }
  | { readonly kind: 'begin' | 'commit' | 'rollback' };

export interface WriterOutcome {
  readonly added?: AddedPet<bigint>[];
  readonly result?: Result;
}

/** A message between threads loses the class and the code of an error. */
export type WriterReply = WriterOutcome | { readonly message: string; readonly code: string };

let writer: ReturnType<typeof openWriter> | undefined;

function openWriter(file: string) {
  const connection = connect(file);
  try {
    // If a process was killed during a commit, its pets may be visible, but not durable. This commit changes nothing,
    // and makes them durable: a caller that repeats its request is told that its pet was added.
    connection.pragma(`application_id = ${APPLICATION_ID}`);
    const append = createAppend(connection);
    // A deferred BEGIN is enough: the first statement of each transaction writes, and waits for the write lock.
    return { connection, append, transact: connection.transaction((work: () => WriterOutcome) => work()) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function replyTo(task: WriterTask): WriterReply {
  try {
    // Opening is retried with each task until it succeeds.
    writer ??= openWriter(workerData);
    return perform(task, writer);
  } catch (error) {
    return { message: reasonOf(error), code: codeOf(error) };
  }
}

function perform(
  task: WriterTask,
  { connection, append, transact }: ReturnType<typeof openWriter>,
): WriterOutcome {
  switch (task.kind) {
    case 'append':
      return transact(() => ({ added: append(task.additions) }));
    case 'run':
      return transact(() => ({ result: run(connection, task.statement) }));
    case 'begin':
      connection.exec('begin immediate');
      return {};
    case 'continue':
      assertInTransaction(connection);
      return { result: run(connection, task.statement) };
    case 'commit':
      assertInTransaction(connection);
      connection.exec('commit');
      return {};
    case 'rollback':
      if (connection.inTransaction) connection.exec('rollback');
      return {};
  }
}

const run = (connection: BetterSqlite3.Database, { sql, parameters }: StatementData) =>
  prepareStatement(connection, sql).run(parameters);

/** @throws SqliteError `SQLITE_ABORT` when SQLite or a statement has ended the transaction, for example on a full disk */
function assertInTransaction(connection: BetterSqlite3.Database): void {
  if (connection.inTransaction) return;
  throw new BetterSqlite3.SqliteError('the transaction has already been rolled back', 'SQLITE_ABORT');
}

parentPort?.on('message', (task: WriterTask | 'close') => {
  if (task !== 'close') return parentPort?.postMessage(replyTo(task));
  writer?.connection.close();
  parentPort?.close();
});
parentPort?.postMessage('started');
