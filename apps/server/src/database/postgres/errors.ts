import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';

const hasCode = (error: unknown, codes: RegExp) =>
  error instanceof pg.DatabaseError && codes.test(error.code ?? '');

/** read_only_sql_transaction: behind a proxy or a pooler, the connection leads to a server that is no longer the primary. */
export const isReadOnly = (error: unknown) => hasCode(error, /^25006$/);

/** Whether an error is the response of a primary, and neither the server nor the connection ends with it. */
export const isResponse = (error: unknown) =>
  error instanceof pg.DatabaseError && !hasCode(error, /^(?:57P0\d|25006)$/);

/** A prepared statement is missing, or is there already: this is another session than before. */
export const isOtherSession = (error: unknown) => hasCode(error, /^(?:26000|42P05)$/);

/**
 * Whether work was undone without a trace, and is likely to succeed now: another transaction was in the way, or the
 * connection was stale, or led to another session. Never after silence: the statement may still run.
 */
export const isWorthAnother = (error: unknown) =>
  hasCode(error, /^(?:40001|40P01|23505)$/) ||
  isOtherSession(error) ||
  (error instanceof ConnectionError && error.phase === 'statement');

/** The same with lock_not_available: appends wait for a row, and migrations for a table, only briefly. */
export const isUndone = (error: unknown) => isWorthAnother(error) || hasCode(error, /^55P03$/);

/** Why the database cannot work now: see `Database.classify`. */
export function classify(error: unknown) {
  if (error instanceof ConnectionError) {
    return error.phase === 'busy' || error.phase === 'behind' ? error.phase : 'unavailable';
  }
  // No id is left: numeric_value_out_of_range, sequence_generator_limit_exceeded. Values that callers give are checked before.
  if (hasCode(error, /^(?:22003|2200H)$/)) return 'exhausted';
  // Connection trouble, no resources, shut down or starting, a standby, lock timeout; and conflicts without end.
  return hasCode(error, /^(?:08|53|57|58|40|25006|55P03)/) ? 'unavailable' : undefined;
}
