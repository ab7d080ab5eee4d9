import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import type { SchemaAccess } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { assertPresent, connect } from './connect.ts';
import { isBusy } from './errors.ts';
import { compareFile, migrateConnection } from './migrate.ts';

/**
 * Opens a SQLite file, and brings its schema up to date.
 *
 * @param access unless it is `expect`, a missing file and its folder are created, for their owner only; the folder above
 *   must be there
 * @returns the connection, and the names of the applied migrations
 * @throws DatabaseFault when the file is missing, is damaged or belongs to another program, or its schema is not the one
 *   that is needed
 */
export async function openFile(
  file: string,
  schema: Schema,
  access: SchemaAccess,
): Promise<{ connection: BetterSqlite3.Database; applied: string[] }> {
  let connection: BetterSqlite3.Database | undefined;
  try {
    if (access === 'expect') assertPresent(file);
    else create(file);
    const opened = connect(file, schema.applicationId);
    connection = opened;
    // When two processes create the same file, SQLite fails one of them at once instead of letting it wait.
    const inConflict = { when: isBusy, forMs: 1_000, pauseMs: 2 };
    await retry(async () => {
      await compareFile(opened, schema, access);
      opened.pragma('journal_mode = WAL');
    }, inConflict);
    return { connection, applied: await migrateConnection(opened, schema, access) };
  } catch (error) {
    connection?.close();
    throw error instanceof DatabaseFault
      ? error
      : new DatabaseFault(`cannot open ${file}: ${reasonOf(error)}`, { cause: error });
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
