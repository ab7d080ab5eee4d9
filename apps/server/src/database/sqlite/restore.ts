import { existsSync, realpathSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { DatabaseFault } from '../database-fault.ts';
import { migrations } from '../migrations/index.ts';
import { reasonOf } from '../reason.ts';
import type { Tables } from '../tables.ts';
import { type BackupOptions, backUp } from './backup.ts';
import { assertOurs } from './connect.ts';
import { isBusy, isDamage } from './errors.ts';
import { hasTable, keepHighestIds, readHighestIds } from './migrate.ts';
import { openFile } from './open.ts';

interface RestoreOptions extends Omit<BackupOptions, 'keepOwner' | 'complete'> {
  /** Whether the keys and the highest ids of the replaced database are lost, because it is damaged. */
  loseKeys?: boolean | undefined;
}

/**
 * Verifies a backup, and puts it in the place of a database that no process has open. The restored database has the API
 * keys of both, and takes a key that both have from the replaced one. It gives out no id of either again.
 * @param to not a symbolic link
 * @throws DatabaseFault when a server runs, the backup or the replaced database is damaged, or `keepAs` is missing;
 *   nothing has changed then
 */
export async function restore(backup: string, to: string, options: RestoreOptions): Promise<void> {
  if (!existsSync(to)) return backUp(backup, to, { ...options, keepOwner: true });
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
    const kept = options.loseKeys ? undefined : await readKeysAndIds(replaced);
    const complete = kept && ((copy: string) => addKeysAndIds(copy, kept));
    await backUp(backup, to, { ...options, keepOwner: true, complete });
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

/**
 * Reads what must not be lost of the replaced database: a revocation after the backup, for example, or the id of a later
 * pet.
 * @throws DatabaseFault when the database is damaged
 */
async function readKeysAndIds(replaced: BetterSqlite3.Database) {
  try {
    replaced.defaultSafeIntegers(true);
    // A start that was killed leaves a database without tables.
    const keys = hasTable(replaced, 'api_keys')
      ? await createKysely(replaced).selectFrom('api_keys').selectAll().execute()
      : [];
    return { keys, highestIds: readHighestIds(replaced) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new DatabaseFault(
      `${replaced.name} is damaged: ${reasonOf(error)}; --lose-keys replaces it without keeping its keys`,
    );
  }
}

/** Brings the copy of a backup up to date, and adds the keys and the highest ids of the replaced database. */
async function addKeysAndIds(copy: string, { keys, highestIds }: Awaited<ReturnType<typeof readKeysAndIds>>) {
  const { connection } = await openFile(copy, migrations, 'migrate');
  try {
    const transaction = createKysely(connection).transaction();
    await transaction.execute(async (db) => {
      for (const key of keys) {
        const add = db.insertInto('api_keys').values(key);
        await add.onConflict((conflict) => conflict.column('hash').doUpdateSet(key)).execute();
      }
      keepHighestIds(connection, highestIds);
    });
  } finally {
    connection.close();
  }
}

const createKysely = (database: BetterSqlite3.Database) =>
  new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
