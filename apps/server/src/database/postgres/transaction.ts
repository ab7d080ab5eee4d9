import { AbortedTransactionError } from 'kysely';
import { type EngineTransaction, NO_RESULT } from '../driver.ts';
import { APPLICATION_ID } from '../tables.ts';
import { Lease, type Statement } from './execute.ts';
import type { PrimaryPool } from './pool.ts';

/**
 * Advisory locks. Every write holds `write` until its commit. Otherwise a reader of pages could miss a pet that is
 * committed after a pet with a higher id.
 */
export const locks = { migration: APPLICATION_ID, write: APPLICATION_ID + 1 } as const;

/** PostgreSQL ends the session of a transaction whose caller does nothing for this long. */
const IDLE_TIMEOUT_MS = 5_000;

/** SQL that lifts the time limits of a transaction. Before version 17, PostgreSQL has no `transaction_timeout`. */
export const liftTimeoutsSql = `select set_config(name, '0', true) from pg_settings
  where name in ('lock_timeout', 'statement_timeout', 'transaction_timeout')`;

/**
 * SQL for the beginning of a transaction that writes. Its settings end with the transaction, because a pooler shares the
 * session. Commits survive a power failure, and a higher durability is kept. `Lease.run` needs PostgreSQL's warnings. With
 * a higher isolation level the transaction would miss what was committed before it got the lock. PostgreSQL sets the level
 * only before the first query.
 * @param lockTimeoutMs how long the transaction waits for the write lock
 * @param rowLockTimeoutMs how long each statement then waits for a lock of another program; all writes wait meanwhile
 */
export const writeLockSql = (lockTimeoutMs: number, rowLockTimeoutMs: number): string => `
  set local transaction_isolation = 'read committed';
  select set_config('lock_timeout', '${lockTimeoutMs}', true), set_config('client_min_messages', 'warning', true),
    set_config('synchronous_commit',
      case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true);
  select pg_advisory_xact_lock(${locks.write}), set_config('lock_timeout', '${rowLockTimeoutMs}', true)`;

interface TransactionOptions {
  lockTimeoutMs: number;
  rowLockTimeoutMs: number;
  /** Is called once the transaction no longer has a connection, or if it gets none. */
  onEnd: () => void;
}

/** Begins a transaction for statements that are sent one by one. It holds the write lock. */
export async function beginTransaction(
  pool: PrimaryPool,
  { lockTimeoutMs, rowLockTimeoutMs, onEnd }: TransactionOptions,
): Promise<EngineTransaction> {
  const lease = await Lease.take(pool, onEnd);
  /** Does nothing after the end, when the caller or the timer repeats it: a released lease is not usable. */
  const rollback = async () => {
    // An error is ignored: PostgreSQL rolls back when a connection ends.
    if (lease.isUsable) await lease.run({ text: 'rollback' }).catch(() => {});
    lease.release();
  };
  const statements = [
    'begin',
    writeLockSql(lockTimeoutMs, rowLockTimeoutMs),
    `select set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT_MS}', true)`,
  ];
  await lease.run({ text: statements.join(';\n') }).catch(async (error: unknown) => {
    await rollback();
    throw error;
  });
  let idleTimer: NodeJS.Timeout | undefined;
  const run = (statement: Statement) => {
    clearTimeout(idleTimer);
    return lease.run(statement).catch((error: unknown) => {
      // Another statement at the same time may have set the timer.
      clearTimeout(idleTimer);
      // A failed statement undoes the settings of the transaction, also PostgreSQL's own idle timeout.
      idleTimer = setTimeout(rollback, IDLE_TIMEOUT_MS).unref();
      throw error;
    });
  };
  return {
    async run({ sql, parameters }) {
      const [result = NO_RESULT] = await run({ text: sql, values: [...parameters] });
      return result;
    },
    async commit() {
      const [result] = await run({ text: 'commit', commits: true });
      lease.release();
      // PostgreSQL turns the commit of a transaction with a failed statement into a rollback.
      if (result?.command !== 'COMMIT') throw new AbortedTransactionError();
    },
    rollback,
  };
}
