import { existsSync, realpathSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { DatabaseFault } from '../database-fault.ts';
import { migrations } from '../migrations/index.ts';
import { reasonOf } from '../reason.ts';
import type { ApiKeysTable, Tables } from '../tables.ts';
import { type BackupOptions, backUp } from './backup.ts';
import { assertOurs, connect } from './connect.ts';
import { isBusy, isDamage } from './errors.ts';
import { hasTable, keepHighestIds, migrateConnection, readHighestIds, transact } from './migrate.ts';

interface RestoreOptions extends Omit<BackupOptions, 'keepAccess' | 'complete'> {
  /** Whether the keys and the highest ids of the replaced database are lost, because it is damaged. */
  loseKeys?: boolean | undefined;
}

/**
 * Verifies a backup, brings a copy of it up to date, and puts it in the place of a database that no process has open.
 * The restored database has the API keys of both, and gives out no id of either again. If both have a key, the row that
 * ends earlier remains. If both rows end at the same time or never, the row of the replaced database remains.
 * @param to not a symbolic link
 * @returns whether the keys of a replaced database were kept
 * @throws DatabaseFault when a server runs, the backup or the replaced database is damaged, or `keepAs` is missing;
 *   nothing has changed then
 */
export async function restore(backup: string, to: string, options: RestoreOptions): Promise<boolean> {
  const { loseKeys, ...others } = options;
  const put = (kept?: KeysAndIds) =>
    backUp(backup, to, { ...others, keepAccess: true, complete: (copy) => complete(copy, kept) });
  if (!existsSync(to)) {
    await put();
    return false;
  }
  if (existsSync(backup) && realpathSync(backup) === realpathSync(to))
    throw new DatabaseFault(`${backup} is the database itself`);
  if (options.keepAs === undefined)
    throw new DatabaseFault(`${to} exists: --replace replaces it, and keeps its data in another file`);
  let replaced: BetterSqlite3.Database | undefined;
  try {
    replaced = new BetterSqlite3(to, { timeout: 0 });
    lock(replaced);
    const kept = loseKeys ? undefined : await readKeysAndIds(replaced);
    await put(kept);
    return kept?.keys !== undefined;
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
    throw new DatabaseFault(`${to} cannot be replaced: ${reasonOf(error)}`);
  } finally {
    replaced?.close();
  }
}

/**
 * Brings the log of a database into its file, and keeps other processes out. A damaged file stays as it is.
 * @throws DatabaseFault when another process has the database open, or it belongs to another program
 */
function lock(connection: BetterSqlite3.Database): void {
  try {
    // A start that was killed leaves an empty file.
    if (statSync(connection.name).size > 0) assertOurs(connection);
    connection.pragma('journal_mode = delete');
    connection.exec('begin exclusive');
  } catch (error) {
    if (isBusy(error)) throw new DatabaseFault(`${connection.name} is in use: stop the servers first`);
    if (!isDamage(error)) throw error;
  }
}

type KeysAndIds = Awaited<ReturnType<typeof readKeysAndIds>>;

/**
 * Reads data of the replaced database that outlasts a restore: revocations and ids may be newer than the backup.
 * @throws DatabaseFault when the database is damaged; an error of SQLite when it cannot be read
 */
async function readKeysAndIds(replaced: BetterSqlite3.Database) {
  try {
    replaced.defaultSafeIntegers(true);
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: replaced }) });
    // A start that was killed leaves a database without tables.
    const hasKeys = hasTable(replaced, 'api_keys');
    const keys = hasKeys ? await db.selectFrom('api_keys').selectAll().execute() : undefined;
    return { file: replaced.name, keys, highestIds: readHighestIds(replaced) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new DatabaseFault(
      `the keys of ${replaced.name} cannot be read: ${reasonOf(error)}; --lose-keys restores without them`,
    );
  }
}

/** Migrates the copy of a backup, and adds the keys and the highest ids of the replaced database. */
async function complete(copy: string, kept: KeysAndIds | undefined): Promise<void> {
  // Do not set WAL mode here: on a full disk, closing a copy in WAL mode reports no error, and leaves it incomplete.
  const connection = connect(copy);
  try {
    await migrateConnection(connection, migrations, 'migrate');
    if (kept !== undefined) await addKeysAndIds(connection, kept);
  } finally {
    connection.close();
  }
}

/** @throws DatabaseFault when the disk is full, or a newer release wrote the keys */
async function addKeysAndIds(connection: BetterSqlite3.Database, { file, keys, highestIds }: KeysAndIds) {
  const adding = transact(connection, 'begin immediate', async (db) => {
    const tables = db.withTables<{ api_keys: ApiKeysTable }>();
    for (const key of keys ?? []) {
      const query = tables
        .insertInto('api_keys')
        .values(key)
        .onConflict((conflict) =>
          // If an older backup was restored before, the replaced database lacks later revocations and rotations.
          conflict
            .column('hash')
            .doUpdateSet(key)
            .where(({ eb, or, ref }) =>
              or([eb('api_keys.ends_at', 'is', null), eb('api_keys.ends_at', '>=', ref('excluded.ends_at'))]),
            ),
        );
      await query.execute();
    }
    keepHighestIds(connection, highestIds);
  });
  await adding.catch((error: unknown) => {
    throw new DatabaseFault(`the keys of ${file} cannot be kept: ${reasonOf(error)}`);
  });
}
