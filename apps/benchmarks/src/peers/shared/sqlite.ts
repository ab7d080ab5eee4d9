import BetterSqlite3 from 'better-sqlite3';
import { DATABASE } from './settings.ts';

/** Opens the file with the settings of our server: an acknowledged pet survives a power cut. */
export function openSqlite(): BetterSqlite3.Database {
  const connection = new BetterSqlite3(DATABASE);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  return connection;
}
