import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, PostgresDialect, type RawBuilder, SqliteDialect, sql } from 'kysely';
import { DatabaseFault } from '../database/database-fault.ts';
import { hostConfigs } from '../database/postgres/host-configs.ts';
import { PrimaryPool } from '../database/postgres/pool.ts';
import { liftTimeoutsSql } from '../database/postgres/transaction.ts';
import { reasonOf } from '../database/reason.ts';
import { retry } from '../database/retry.ts';
import { assertIntact, assertPresent, connect } from '../database/sqlite/connect.ts';
import { isBusy, isDamage } from '../database/sqlite/errors.ts';
import { primaryKeys } from '../database/tables.ts';
import type { DatabaseUrl } from '../process/database-url.ts';

/** The source or the target of a copy, with one transaction. Disposal rolls it back unless it was committed. */
export interface Side extends AsyncDisposable {
  readonly name: 'source' | 'target';
  readonly isPostgres: boolean;
  readonly db: Kysely<unknown>;
  /** SQL that keeps other writers away until the transaction ends. On SQLite it begins the transaction. */
  readonly lock: RawBuilder<unknown>;
}

/** How long the copy waits for a connection to PostgreSQL, and for its locks. */
const WAIT_MS = 5_000;

const IN_USE = 'a server uses it, and would add pets that the copy lacks: stop the servers first';

/** How long the copy waits for the result of a query. A batch is fast, but `analyze` reads whole tables. */
const QUERY_TIMEOUT_MS = 10 * 60_000;

/** @throws DatabaseFault when the SQLite file of the source is damaged, or a server uses it; an error of the engine */
export async function openSide(name: Side['name'], location: DatabaseUrl): Promise<Side> {
  if (location.engine === 'sqlite') {
    assertPresent(location.file);
    const database = connect(location.file);
    // A server of the target loses no pets: it waits for the copy's transaction.
    if (name === 'source') assertUsable(database);
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    const close = async () => void database.close();
    return { name, isPostgres: false, db, lock: sql`begin immediate`, [Symbol.asyncDispose]: close };
  }
  const options = { max: 1, connectionTimeoutMillis: WAIT_MS, query_timeout: QUERY_TIMEOUT_MS };
  const pool = new PrimaryPool(hostConfigs(location), options);
  const connections = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const db = await connections
    .startTransaction()
    .setIsolationLevel('read committed') // Otherwise rows that are committed before the locks could be missing.
    .execute()
    .catch(async (error: unknown) => {
      await connections.destroy();
      throw error;
    });
  // These settings replace those of the role and the URL. The idle timeout ends the transaction of a lost connection,
  // but a side is also idle while the other one runs a query. The last setting makes the commit durable.
  const lock = sql`
    ${sql.raw(liftTimeoutsSql)};
    set local lock_timeout = ${sql.lit(WAIT_MS)};
    set local idle_in_transaction_session_timeout = ${sql.lit(QUERY_TIMEOUT_MS)};
    set local synchronous_commit = on;
    lock table ${sql.join(Object.keys(primaryKeys).map((table) => sql.table(table)))} in share row exclusive mode`;
  const end = async () => {
    // Over a lost connection the rollback fails, too, but the first failure is reported.
    await Promise.allSettled([db.rollback().execute()]);
    await connections.destroy();
  };
  return { name, isPostgres: true, db, lock, [Symbol.asyncDispose]: end };
}

/** @throws DatabaseFault when a server has the SQLite file open, or the file is damaged; an error of SQLite */
function assertUsable(database: BetterSqlite3.Database): void {
  try {
    // SQLite leaves the mode `wal` only if no other connection is open. The next server returns to it.
    database.pragma('journal_mode = delete');
    // A damaged table may hide rows: both sides would be equal without them.
    assertIntact(database);
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new DatabaseFault(IN_USE);
    throw isDamage(error) ? new DatabaseFault(`it is damaged: ${reasonOf(error)}`) : error;
  }
}

/** @throws DatabaseFault when a server has a connection to the PostgreSQL of the source */
export async function assertNoServer(source: Side): Promise<void> {
  if (!source.isPostgres) return;
  const sessions = sql`
    select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'petstore'`;
  const assertNoSession = async () => {
    // Otherwise a transaction sees the same sessions until its end.
    await run(source, sql`select pg_stat_clear_snapshot()`);
    if ((await run(source, sessions)).length > 0)
      throw new DatabaseFault(`the source cannot be used: ${IN_USE}; with PgBouncer, also run its RECONNECT`);
  };
  // The pool's probes of the hosts are sessions of this command, and may not have ended yet.
  await retry(assertNoSession, { when: () => true, forMs: 2_000, pauseMs: 200 });
}

/** Runs a statement. @throws DatabaseFault naming the side */
export const run = async <Result>({ db, name }: Side, statement: RawBuilder<Result>): Promise<Result[]> =>
  (await nameFailure(name, statement.execute(db))).rows;

/** @throws DatabaseFault naming the side */
export function nameFailure<Result>(name: Side['name'], work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw new DatabaseFault(`the ${name} cannot be used: ${reasonOf(error)}`, { cause: error });
  });
}
