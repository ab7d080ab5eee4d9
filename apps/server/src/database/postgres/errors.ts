import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import { isOtherSession } from './connection.ts';

/**
 * Undone without a trace, and likely to succeed now: another transaction was in the way, a connection was stale, or
 * led to another session. Never after silence: the statement may still run.
 */
export const isWorthAnother = (error: unknown) =>
  error instanceof pg.DatabaseError
    ? /^(?:40001|40P01|23505)$/.test(error.code ?? '') || isOtherSession(error)
    : error instanceof ConnectionError && error.phase === 'statement';

/** Of what also waits for a lock, but not for long: an append for rows of another program, a migration for a table. */
export const isUndone = (error: unknown) =>
  isWorthAnother(error) || (error instanceof pg.DatabaseError && error.code === '55P03');

/** The connection was lost, and the server may have committed before. */
export const isUnconfirmed = (error: unknown) => error instanceof ConnectionError && error.phase === 'commit';

/** Connection trouble, no resources, shut down or starting, a standby, lock timeout; and conflicts without end. */
const UNAVAILABLE = /^(?:08|53|57|58|40|25006|55P03)/;

/** No id is left: numeric_value_out_of_range, sequence_generator_limit_exceeded. Values that callers give are checked before. */
const IDS_EXHAUSTED = /^(?:22003|2200H)$/;

/** Why the database cannot work now: see `Database.classify`. */
export function classify(error: unknown) {
  if (error instanceof ConnectionError) {
    return error.phase === 'busy' || error.phase === 'behind' ? error.phase : 'unavailable';
  }
  if (error instanceof pg.DatabaseError && IDS_EXHAUSTED.test(error.code ?? '')) return 'exhausted';
  const isUnavailable = error instanceof pg.DatabaseError && UNAVAILABLE.test(error.code ?? '');
  return isUnavailable ? 'unavailable' : undefined;
}
