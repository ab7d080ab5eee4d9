import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import type { SchemaAccess } from '../migrations/migrate.ts';
import { reasonOf } from '../reason.ts';
import type { Schema } from '../schema.ts';
import { whileBusy } from './busy.ts';
import { connect } from './connect.ts';
import { SqliteDatabase } from './database.ts';
import { FileWatch, identifyFiles } from './file-watch.ts';
import { migrateConnection } from './migrate.ts';
import { Writer } from './writer.ts';

/**
 * Opens a SQLite database.
 *
 * @param access unless it is `expect`, the file and its folder are created when they are missing, readable by their
 *   owner only
 * @throws DatabaseFault when the file is missing, is damaged or belongs to another program, or its schema is not the one
 *   that is needed
 */
export async function openSqlite(
  file: string,
  schema: Schema,
  access: SchemaAccess = 'migrate',
): Promise<Database> {
  try {
    if (access === 'expect') assertPresent(file);
    else create(file);
    // When two processes create the same file, SQLite fails one of them at once instead of letting it wait.
    const connection = await whileBusy(() => connect(file, schema.applicationId, 0));
    try {
      await whileBusy(() => migrateConnection(connection, schema, access));
      return open(connection, schema);
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof DatabaseFault) throw error;
    throw new DatabaseFault(`cannot open ${file}: ${reasonOf(error)}`);
  }
}

function open(connection: BetterSqlite3.Database, schema: Schema): Database {
  // As SQLite names it: behind symbolic links.
  const file = realpathSync(connection.name);
  const identities = identifyFiles([file, `${file}-wal`]);
  const { applicationId, versionedTable, columns, records } = schema;
  const tables = { versionedTable, columns, records };
  const writer = new Writer({ file, applicationId, identities, tables });
  // What this thread wrote would have to be synced here.
  connection.pragma('query_only = ON');
  return new SqliteDatabase(connection, { files: new FileWatch(identities), writer });
}

function assertPresent(file: string): void {
  if (existsSync(file) && statSync(file).size > 0) return;
  throw new DatabaseFault(`there is no database at ${file}: petstore migrate creates one`);
}

function create(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

/** Node's own recursive way never ends where the system allows no new folder, such as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
