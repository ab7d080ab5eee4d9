import { realpathSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import { whileBusy } from './busy.ts';
import { SqliteDatabase } from './database.ts';
import { DurableMark } from './files/durable-mark.ts';
import { prepareFile } from './files/file.ts';
import { FileWatch } from './files/file-watch.ts';
import { LogSync } from './files/log-sync.ts';
import { migrateConnection } from './migrate.ts';

/**
 * Opens a SQLite database and brings its schema up to date. The file and its folder are created when
 * they are missing, readable by their owner only.
 *
 * @throws DatabaseFault when the file is damaged, belongs to another program, or cannot be opened
 */
export async function openSqlite(file: string, schema: Schema): Promise<Database> {
  try {
    // When two processes create the same file, SQLite fails one of them at once instead of letting it wait.
    const connection = await whileBusy(async () => {
      prepareFile(file, schema.applicationId);
      return connect(file, schema.applicationId);
    });
    try {
      await whileBusy(() => migrate(connection, schema));
      const path = realpathSync(file);
      const log = `${path}-wal`;
      const database = new SqliteDatabase(connection, schema, {
        files: new FileWatch([file, log]),
        log: new LogSync(log),
        mark: new DurableMark(`${path}-durable`),
      });
      // From here on LogSync makes commits durable.
      connection.pragma('synchronous = NORMAL');
      // What a process that was killed had committed may not be durable yet.
      void database.makeDurable().catch(() => {});
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof DatabaseFault) throw error;
    throw new DatabaseFault(`cannot open ${file}: ${reasonOf(error)}`);
  }
}

/** Opens a file as a database of ours, with settings that make commits durable. */
export function connect(file: string, applicationId: number): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { timeout: 0 });
  try {
    if (connection.pragma('application_id', { simple: true }) !== applicationId) {
      connection.pragma(`application_id = ${applicationId}`);
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

async function migrate(connection: BetterSqlite3.Database, schema: Schema): Promise<void> {
  connection.exec('begin immediate');
  try {
    await migrateConnection(connection, schema);
    connection.exec('commit');
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
  }
}
