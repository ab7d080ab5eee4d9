import { accessSync, constants, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { DatabaseFault } from '../database-fault.ts';
import { APPLICATION_ID } from '../tables.ts';

/**
 * Opens a database whose commits are durable before they are visible. A statement that finds a lock of another process
 * blocks its thread for up to five seconds, better-sqlite3's default.
 * @throws DatabaseFault when the file belongs to another program; an error of SQLite when it cannot be opened
 */
export function connect(file: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { fileMustExist: true });
  try {
    const isEmpty = connection.prepare('select count(*) from sqlite_schema').pluck().get() === 0;
    if (isEmpty) connection.pragma(`application_id = ${APPLICATION_ID}`);
    else assertOurs(connection);
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    // A read-only container has no folder for temporary files. Making an index takes 60 MB for a million pets, not 16.
    connection.pragma('temp_store = MEMORY');
    connection.defaultSafeIntegers(true);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Reads the id that tells our files from files of other programs (SQLite file format, offset 68).
 * @throws DatabaseFault when the file belongs to another program; an error of SQLite when it is not a database
 */
export function assertOurs(connection: BetterSqlite3.Database): void {
  if (connection.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
  throw new DatabaseFault(`${connection.name} belongs to another program; it was not changed`);
}

/** @throws SqliteError `SQLITE_CORRUPT` when a page, an index or a value is damaged */
export function assertIntact(connection: BetterSqlite3.Database): void {
  const result = String(connection.pragma('integrity_check(1)', { simple: true }));
  if (result !== 'ok') throw new BetterSqlite3.SqliteError(result, 'SQLITE_CORRUPT');
}

/**
 * @param remedy ends the message
 * @throws DatabaseFault when the file is missing or empty; an error of the system when it cannot be read
 */
export function assertPresent(file: string, remedy?: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.size) {
    const message = `there is no database at ${file}${remedy ? `: ${remedy}` : ''}`;
    // A server's first attempt changes nothing. The second one, once the port is its own, creates the database.
    throw new DatabaseFault(message, { isTransient: true });
  }
  // SQLite would not say that a permission is missing.
  accessSync(file, constants.R_OK);
}
