import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import type { SchemaAccess } from '../migrations/migrate.ts';
import { reasonOf } from '../reason.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { assertPresent, connect } from './connect.ts';
import { SqliteDatabase } from './database.ts';
import { isBusy } from './errors.ts';
import { migrateConnection } from './migrate.ts';

/**
 * Opens a SQLite database.
 *
 * @param access unless it is `expect`, the file and its folder are created when they are missing, for their owner only;
 *   the folder above must be there
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

/** Creates a file and its folder, but no folder above that: Node's `recursive` never ends in `/proc`. */
function create(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  closeSync(openSync(file, 'a', 0o600));
}
