import { Kysely, type LogEvent, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import type { SchemaAccess } from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import { compareHistory, type Migrations, migrateToLatest, migrationFault } from '../migrator.ts';
import { retry } from '../retry.ts';
import { isRetryableWrite } from './errors.ts';
import type { PrimaryPool } from './pool.ts';
import { liftTimeoutsSql, locks } from './transaction.ts';

/** The share of the statement timeout for which a migration waits for a table: statements of servers wait behind it. */
const LOCK_SHARE = 0.5;

/** How long a migration is repeated after a transient error: pg_dump, for example, may lock a table for long. */
const MIGRATION_RETRY = { forMs: 30_000, pauseMs: 2_000 };

/** PostgreSQL ends a migration whose process says nothing for this long: its machine may be lost, and it holds locks. */
const IDLE_TIMEOUT_MS = 10_000;

/** Runs `compareHistory` in a transaction, because it must see one state of the database. */
export const compareSchema = (pool: PrimaryPool, migrations: Migrations, access: SchemaAccess) =>
  new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => compareHistory(transaction, migrations, access));

/**
 * Brings the schema up to date, and ends the pool. Other servers wait for the migration lock. A statement may take any
 * time, but waits for a table only for a share of the statement timeout.
 * @returns the names of the applied migrations
 * @throws DatabaseFault when a migration fails; the errors of the pool
 */
export async function migrate(
  pool: PrimaryPool,
  migrations: Migrations,
  { access, statementTimeoutMs }: { access: SchemaAccess; statementTimeoutMs: number },
): Promise<string[]> {
  // After a failure to create its own tables, Kysely goes on, and throws only that the transaction is aborted.
  let firstError: unknown;
  const log = (event: LogEvent) => {
    if (event.level === 'error') firstError ??= event.error;
  };
  await using kysely = new Kysely<unknown>({ dialect: new MigrationDialect({ pool }), log });
  const lockTimeoutMs = String(Math.ceil(statementTimeoutMs * LOCK_SHARE));
  // Other servers wait for the migration lock without a limit, so the limit for tables is set after it.
  const prepare = sql`
    ${sql.raw(liftTimeoutsSql)}; set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_TIMEOUT_MS)}`;
  const lock = sql`
    select pg_advisory_xact_lock(${locks.migration}), set_config('lock_timeout', ${lockTimeoutMs}, true)`;
  // With a higher level, a server that has waited for the lock would not see the migrations of the other one.
  const transactions = kysely.transaction().setIsolationLevel('read committed');
  const attempt = () =>
    transactions.execute(async (transaction) => {
      await prepare.execute(transaction);
      await lock.execute(transaction);
      firstError = undefined;
      return migrateToLatest(transaction, migrations, access).catch((error: unknown) => {
        throw firstError === undefined ? error : migrationFault(firstError);
      });
    });
  const when = (error: unknown) => error instanceof DatabaseFault && isRetryableWrite(error.cause);
  return await retry(attempt, { ...MIGRATION_RETRY, when });
}

/** Kysely's own lock belongs to the session, which poolers share, and sets another lock timeout. */
class MigrationDialect extends PostgresDialect {
  override createAdapter() {
    const none = { async acquireMigrationLock() {}, async releaseMigrationLock() {} };
    return Object.assign(new PostgresAdapter(), none);
  }
}
