import { realpathSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { OperatorError } from '../../operator-error.ts';
import type { Database } from '../database.ts';
import { reasonOf } from '../reason.ts';
import { SqliteDatabase, whileBusy } from './database.ts';
import { APPLICATION_ID, prepareFile } from './file.ts';
import { FileWatch } from './file-watch.ts';
import { LogSync } from './log-sync.ts';
import { migrateConnection } from './migrate.ts';

/**
 * Opens a SQLite database and brings its schema up to date. The file and its folder are created when
 * they are missing, readable by their owner only.
 *
 * @throws OperatorError when the file is damaged, belongs to another program, or cannot be opened
 */
export async function openSqlite(file: string): Promise<Database> {
  try {
    // When two processes create the same file, SQLite fails one of them at once instead of letting it wait.
    const connection = await whileBusy(async () => {
      prepareFile(file);
      return connect(file);
    });
    try {
      await whileBusy(() => migrate(connection));
      const log = `${realpathSync(file)}-wal`;
      const database = new SqliteDatabase(connection, new FileWatch([file, log]), new LogSync(log));
      // From here on LogSync makes commits durable.
      connection.pragma('synchronous = NORMAL');
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`DATABASE_URL: cannot open ${file}: ${reasonOf(error)}`);
  }
}

/** Opens a file as a database of ours, with settings that make commits durable. */
export function connect(file: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { timeout: 0 });
  try {
    if (connection.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      connection.pragma(`application_id = ${APPLICATION_ID}`);
    }
    connection.pragma('journal_mode = WAL');
    // A power failure undoes no migration.
    connection.pragma('synchronous = FULL');
    connection.defaultSafeIntegers(true);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function migrate(connection: BetterSqlite3.Database): Promise<void> {
  connection.exec('begin immediate');
  try {
    await migrateConnection(connection);
    connection.exec('commit');
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
  }
}
