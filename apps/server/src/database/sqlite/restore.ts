import { existsSync, realpathSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { type Insertable, Kysely, SqliteDialect, sql } from 'kysely';
import { DatabaseFault } from '../database-fault.ts';
import { migrations } from '../migrations/index.ts';
import { reasonOf } from '../reason.ts';
import type { ApiKeysTable, Tables } from '../tables.ts';
import { type BackupOptions, backUp } from './backup.ts';
import { assertOurs, connect } from './connect.ts';
import { isBusy, isDamage } from './errors.ts';
import { hasTable, keepHighestIds, migrateConnection, readHighestIds, transact } from './migrate.ts';

interface RestoreOptions extends Omit<BackupOptions, 'keepOwner' | 'complete'> {
  /** Whether the keys and the highest ids of the replaced database are lost, because it is damaged. */
  loseKeys?: boolean | undefined;
}

/**
 * Verifies a backup, brings a copy of it up to date, and puts it in the place of a database that no process has open.
 * The restored database has the API keys of both, and gives out no id of either again. A key that both have is as in the
 * replaced database, unless the backup has it as revoked or rotated, and ending earlier.
 * @param to not a symbolic link
 * @returns whether the keys of a replaced database were kept
 * @throws DatabaseFault when a server runs, the backup or the replaced database is damaged, or `keepAs` is missing;
 *   nothing has changed then
 */
export async function restore(backup: string, to: string, options: RestoreOptions): Promise<boolean> {
  const { loseKeys, ...others } = options;
  const put = (kept?: Kept) =>
    backUp(backup, to, { ...others, keepOwner: true, complete: (copy) => complete(copy, kept) });
  if (!existsSync(to)) {
    await put();
    return false;
  }
  if (existsSync(backup) && realpathSync(backup) === realpathSync(to)) {
    throw new DatabaseFault(`${backup} is the database itself`);
  }
  if (options.keepAs === undefined) {
    throw new DatabaseFault(`${to} exists: --replace replaces it, and keeps its data in another file`);
  }
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

/** What must not be lost of the replaced database: a revocation after the backup, for example, or the id of a later pet. */
interface Kept {
  readonly file: string;
  /** Undefined without the table, as a start that was killed leaves a database. */
  readonly keys: readonly Insertable<ApiKeysTable>[] | undefined;
  readonly highestIds: ReturnType<typeof readHighestIds>;
}

/** @throws DatabaseFault when the database is damaged; an error of SQLite when it cannot be read */
async function readKeysAndIds(replaced: BetterSqlite3.Database): Promise<Kept> {
  try {
    replaced.defaultSafeIntegers(true);
    const hasKeys = hasTable(replaced, 'api_keys');
    const keys = hasKeys && (await createKysely(replaced).selectFrom('api_keys').selectAll().execute());
    return { file: replaced.name, keys: keys || undefined, highestIds: readHighestIds(replaced) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new DatabaseFault(
      `the keys of ${replaced.name} cannot be read: ${reasonOf(error)}; --lose-keys restores without them`,
    );
  }
}

/** Brings a copy of a backup up to date, and adds what is kept. */
async function complete(copy: string, kept: Kept | undefined): Promise<void> {
  // The verified copy has no write-ahead log. On a full disk, SQLite would close a copy with one as if it were complete.
  const connection = connect(copy);
  try {
    await migrateConnection(connection, migrations, 'migrate');
    if (kept !== undefined) await addKeysAndIds(connection, kept);
  } finally {
    connection.close();
  }
}

/** @throws DatabaseFault when the disk is full, or a newer release wrote the keys */
async function addKeysAndIds(connection: BetterSqlite3.Database, { file, keys, highestIds }: Kept) {
  const db = createKysely(connection);
  const adding = transact(connection, 'begin immediate', async () => {
    for (const key of keys ?? []) {
      const add = db.insertInto('api_keys').values(key);
      // The replaced database may come from an older backup, and lack a revocation or a rotation.
      const isNotLonger = sql<boolean>`
        coalesce(api_keys.end_reason, 'expired') = 'expired' or excluded.ends_at <= api_keys.ends_at`;
      await add.onConflict((has) => has.column('hash').doUpdateSet(key).where(isNotLonger)).execute();
    }
    keepHighestIds(connection, highestIds);
  });
  await adding.catch((error: unknown) => {
    throw new DatabaseFault(`the keys of ${file} cannot be kept: ${reasonOf(error)}`);
  });
}

const createKysely = (database: BetterSqlite3.Database) =>
  new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
