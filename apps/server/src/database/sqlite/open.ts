import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import type { SchemaAccess } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import type { Migrations } from '../migrator.ts';
import { reasonOf } from '../reason.ts';
import { retry } from '../retry.ts';
import { assertPresent, connect } from './connect.ts';
import { isBusy } from './errors.ts';
import { compareConnection, migrateConnection } from './migrate.ts';

/**
 * Opens a SQLite file, and brings its schema up to date. Unless `access` is `expect`, it creates a missing file and its
 * folder, for their owner only.
 * @returns the connection, and the names of the applied migrations
 * @throws DatabaseFault when the file or its schema cannot be used
 */
export async function openFile(
  file: string,
  migrations: Migrations,
  access: SchemaAccess,
): Promise<{ connection: BetterSqlite3.Database; applied: string[] }> {
  let connection: BetterSqlite3.Database | undefined;
  try {
    if (access === 'expect') assertPresent(file, 'petstore migrate creates one');
    else create(file);
    const opened = connect(file);
    connection = opened;
    // When two processes create the same file, a statement of one of them fails at once.
    const inConflict = { when: isBusy, forMs: 1_000, pauseMs: 2 };
    // The comparison takes no write lock, because a server whose disk is stalled may hold it.
    const { missing } = await retry(async () => {
      const history = await compareConnection(opened, migrations, access);
      opened.pragma('journal_mode = WAL');
      // A backup has no `-wal` and `-shm`. The first read creates both: on a full disk this fails, not a request.
      opened.prepare('select count(*) from sqlite_schema').get();
      return history;
    }, inConflict);
    const applied = missing.length > 0 ? await migrateConnection(opened, migrations, access) : [];
    return { connection, applied };
  } catch (error) {
    connection?.close();
    if (error instanceof DatabaseFault) throw error;
    // Another process may be migrating the file.
    throw new DatabaseFault(`cannot open ${file}: ${reasonOf(error)}`, { isTransient: isBusy(error) });
  }
}

/** Creates a file and its folder, but no folder above that: Node's `recursive` loops for ever in `/proc`. */
function create(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  closeSync(openSync(file, 'a', 0o600));
}
