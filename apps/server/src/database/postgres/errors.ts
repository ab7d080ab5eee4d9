import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';

const hasCode = (error: unknown, codes: RegExp) =>
  error instanceof pg.DatabaseError && codes.test(error.code ?? '');

/** read_only_sql_transaction: the server is no longer the primary. A proxy or pooler kept the connection open. */
export const isReadOnly = (error: unknown) => hasCode(error, /^25006$/);

/** Whether an error is the response of a primary that keeps the connection open. */
export const isResponse = (error: unknown) =>
  error instanceof pg.DatabaseError && !hasCode(error, /^(?:57P0\d|25006)$/);

/** A prepared statement is missing or exists already: a pooler has changed the session. */
export const isOtherSession = (error: unknown) => hasCode(error, /^(?:26000|42P05)$/);

/**
 * Whether work was rolled back and is likely to succeed now: after a conflict with another transaction, or on a stale
 * connection. A timeout does not count, because the statement may still run.
 */
export const isRetryable = (error: unknown) =>
  hasCode(error, /^(?:40001|40P01|23505)$/) ||
  isOtherSession(error) ||
  (error instanceof ConnectionError && error.phase === 'statement');

/** Adds lock_not_available, because an append waits only briefly for a row, and a migration for a table. */
export const isRetryableWrite = (error: unknown) => isRetryable(error) || hasCode(error, /^55P03$/);

/** Implements `Database.classify`. */
export function classify(error: unknown) {
  if (error instanceof ConnectionError) {
    return error.phase === 'busy' || error.phase === 'behind' ? error.phase : 'unavailable';
  }
  // No id is left: numeric_value_out_of_range, sequence_generator_limit_exceeded. Values of callers are in range.
  if (hasCode(error, /^(?:22003|2200H)$/)) return 'exhausted';
  // Connection lost, no resources, server stopping or starting, standby, lock timeout, repeated conflicts.
  if (hasCode(error, /^(?:08|53|57|58|40|25006|55P03)/)) return 'unavailable';
  // A FATAL error refuses a connection, such as a login, or a database that does not exist yet.
  return error instanceof pg.DatabaseError && error.severity === 'FATAL' ? 'unavailable' : undefined;
}
