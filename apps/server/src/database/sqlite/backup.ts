import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import { whileBusy } from './busy.ts';
import { assertOurs } from './connect.ts';

/** What SQLite keeps beside a database. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/** Pages that are copied in one turn of the event loop, in which a signal is heard: 4 MB. */
const PAGES_PER_TURN = 1_000;

interface BackupOptions {
  /** What the database must have: see `Schema`. */
  applicationId: number;
  /** Ends the work, and leaves nothing. */
  interrupted: AbortSignal;
  /** What happens right before the copy takes the place of a file. @default there must be none */
  replace?: () => void;
}

/**
 * Copies a database, of which servers may be writing, as it is at one moment into a new file, which only its owner can
 * read, and verifies the copy. It gets its name once it is complete and durable.
 *
 * @throws DatabaseFault when there is no undamaged database of ours
 */
export async function backUp(
  file: string,
  to: string,
  { applicationId, interrupted, replace }: BackupOptions,
): Promise<void> {
  if (!existsSync(file)) throw new DatabaseFault(`${file} does not exist`);
  if (replace === undefined && existsSync(to))
    throw new DatabaseFault(`${to} exists, and is not overwritten`);
  const copy = `${to}.partial-${process.pid}`;
  // A connection that may only read leaves the companions of a file that no server has open.
  const source = new BetterSqlite3(file, { fileMustExist: true, timeout: 0 });
  try {
    source.pragma('query_only = ON');
    await whileBusy(() => assertOurs(source, applicationId));
    // Without a transaction the copy would begin again at every commit of a server, and never end under load.
    source.exec('begin');
    await whileBusy(() => source.prepare('select count(*) from sqlite_schema').get());
    closeSync(openSync(copy, 'wx', 0o600));
    await source.backup(copy, {
      progress() {
        interrupted.throwIfAborted();
        return PAGES_PER_TURN;
      },
    });
    verify(copy, file);
    sync(copy);
    replace?.();
    renameSync(copy, to);
    sync(dirname(to));
  } catch (error) {
    if (isDamage(error)) throw new DatabaseFault(`${file} is damaged: ${reasonOf(error)}`);
    throw error;
  } finally {
    source.close();
    for (const suffix of ['', ...COMPANIONS]) rmSync(copy + suffix, { force: true });
  }
}

/** Makes a file durable, or the names in a folder. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Checks every page and index. */
function verify(copy: string, file: string): void {
  const connection = new BetterSqlite3(copy);
  try {
    // Without a write-ahead log the copy is one file, which can be read where nothing can be written.
    connection.pragma('journal_mode = delete');
    const result = String(connection.pragma('integrity_check(1)', { simple: true }));
    if (result !== 'ok') throw new DatabaseFault(`${file} is damaged: ${reasonOf(result)}`);
  } finally {
    connection.close();
  }
}

export const isDamage = (error: unknown) =>
  error instanceof BetterSqlite3.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
