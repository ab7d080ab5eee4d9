import { existsSync, realpathSync, renameSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../database-fault.ts';
import { backUp, COMPANIONS, isDamage } from './backup.ts';
import { assertOurs } from './connect.ts';

interface RestoreOptions {
  applicationId: number;
  /** The name that a database which is there gets. Without it there must be none. */
  keep: string | undefined;
  interrupted: AbortSignal;
}

/**
 * Puts a backup, which is verified, in the place of a database that no process has open.
 *
 * @returns whether a database was there, and is kept
 * @throws DatabaseFault when a server runs, the backup is damaged, or there is a database that is to be kept; nothing
 *   has changed then
 */
export async function restore(
  backup: string,
  to: string,
  { applicationId, keep, interrupted }: RestoreOptions,
): Promise<boolean> {
  if (!existsSync(to)) {
    await backUp(backup, to, { applicationId, interrupted });
    return false;
  }
  const file = realpathSync(to);
  if (existsSync(backup) && realpathSync(backup) === file) {
    throw new DatabaseFault(`${backup} is the database itself`);
  }
  if (keep === undefined) {
    throw new DatabaseFault(`${file} exists: --replace replaces it, and keeps its data in another file`);
  }
  const lock = takeAlone(file, applicationId);
  try {
    await backUp(backup, file, { applicationId, interrupted, replace: () => moveAside(file, keep) });
  } finally {
    lock?.close();
  }
  return true;
}

/**
 * Brings the log of a database into its file, and lets no other process open it.
 *
 * @returns the connection that has the lock; `undefined` where the file is damaged
 * @throws DatabaseFault when another process has it open, or it belongs to another program
 */
function takeAlone(file: string, applicationId: number): BetterSqlite3.Database | undefined {
  const connection = new BetterSqlite3(file, { timeout: 0 });
  try {
    assertOurs(connection, applicationId);
    connection.pragma('journal_mode = delete');
    connection.exec('begin exclusive');
    return connection;
  } catch (error) {
    connection.close();
    if (isDamage(error)) return undefined;
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DatabaseFault(`${file} is in use: stop the servers first`);
    }
    throw error;
  }
}

/** The log of a damaged database goes with it: it must not be taken for that of the next one. */
function moveAside(file: string, keep: string): void {
  for (const suffix of ['', ...COMPANIONS]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, keep + suffix);
  }
}
