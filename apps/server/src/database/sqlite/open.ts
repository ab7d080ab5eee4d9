import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import type { SchemaAccess } from '../migrations/migrate.ts';
import { reasonOf } from '../reason.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { connect } from './connect.ts';
import { SqliteDatabase } from './database.ts';
import { isBusy } from './errors.ts';
import { migrateConnection } from './migrate.ts';

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
    if (access !== 'expect') create(file);
    else if (!existsSync(file) || statSync(file).size === 0)
      throw new DatabaseFault(`there is no database at ${file}: petstore migrate creates one`);
    return await open(file, schema, access);
  } catch (error) {
    if (error instanceof DatabaseFault) throw error;
    throw new DatabaseFault(`cannot open ${file}: ${reasonOf(error)}`);
  }
}

async function open(file: string, schema: Schema, access: SchemaAccess): Promise<Database> {
  const connection = connect(file, schema.applicationId);
  try {
    // When two processes create the same file, SQLite fails one of them at once instead of letting it wait.
    const inConflict = { when: isBusy, forMs: 1_000, pauseMs: 2 };
    await retry(() => connection.pragma('journal_mode = WAL'), inConflict);
    await migrateConnection(connection, schema, access);
    return new SqliteDatabase(connection, schema);
  } catch (error) {
    connection.close();
    throw error;
  }
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
