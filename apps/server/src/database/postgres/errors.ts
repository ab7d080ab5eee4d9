import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';

const hasCode = (error: unknown, codes: RegExp): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && codes.test(error.code ?? '');

/** The server allows only reads: its configuration says so, or it is a standby. */
export const isReadOnly = (error: unknown) => hasCode(error, /^25006$/);

/** Whether the session has prepared a statement before a column of its result got another type (0A000). */
const isOutdatedPlan = (error: unknown) =>
  error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';

/** Whether the error refuses or ends a connection. PostgreSQL may translate FATAL. 25P03 and 25P04 are always FATAL. */
export const isFatal = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.severity === 'FATAL' || hasCode(error, /^25P0[34]$/));

/**
 * Whether the server responded with this error. Unless {@link isFatal}, the connection is reusable. These count as a
 * lost connection: 57P01 to 57P05, for example when the server stops, and an outdated plan, which no new session has.
 */
export const isResponse = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !isOutdatedPlan(error) && !hasCode(error, /^57P0\d$/);

/** A prepared statement is missing or exists already: a pooler has changed the session. */
export const isOtherSession = (error: unknown) => hasCode(error, /^(?:26000|42P05)$/);

/** Whether no response came within `query_timeout`. The error of node-postgres has no class of its own. */
export const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

/** Whether another program has inserted the same id. That program does not take the write lock. */
const isTakenId = (error: unknown) => error instanceof pg.DatabaseError && error.constraint === 'pets_pkey';

/**
 * Whether work was rolled back and is likely to succeed now: serialization_failure or deadlock_detected, for example.
 * So is the loss of a connection before a commit (`statement`), but not a `timeout`: the statement may still run.
 */
export const isRetryable = (error: unknown) =>
  hasCode(error, /^(?:40001|40P01)$/) ||
  isTakenId(error) ||
  isOtherSession(error) ||
  (error instanceof ConnectionError && error.kind === 'statement');

/** Whether {@link isRetryable} holds, or the write waited too long for a lock (lock_not_available). */
export const isRetryableWrite = (error: unknown) => isRetryable(error) || hasCode(error, /^55P03$/);

/**
 * Whether a write waited too long for the lock of a row. Only a wait for a row names the place of the row, such as (0,1),
 * in the error's context.
 */
export const isRowLocked = (error: unknown) =>
  hasCode(error, /^55P03$/) && /\(\d+,\d+\)/.test(error.where ?? '');

/** A table, its type or a column is missing: another program has changed the schema, for example by a restore. */
export const isOtherSchema = (error: unknown) => hasCode(error, /^(?:42P01|42703|42704)$/);

export function classify(error: unknown) {
  if (error instanceof ConnectionError) {
    return error.kind === 'busy' || error.kind === 'behind' ? error.kind : 'unavailable';
  }
  // For example a wrong password, a database that does not exist yet, or transaction_timeout.
  if (isFatal(error)) return 'unavailable';
  // No id is left: numeric_value_out_of_range, sequence_generator_limit_exceeded. Values of callers are in range.
  if (hasCode(error, /^(?:22003|2200H)$/)) return 'exhausted';
  // No transaction id is left, or no room for a NOTIFY. Other errors with 54000 refuse a value that is too long.
  const isOfServer = hasCode(error, /^54000$/) && /^(?:GetNew|PreCommit_Notify)/.test(error.routine ?? '');
  if (isTakenId(error) || isOtherSchema(error) || isOfServer) return 'unavailable';
  // A locked row, a missing privilege, or damaged data.
  if (isRowLocked(error) || hasCode(error, /^(?:42501|XX00[12])$/)) return 'blocked';
  // A constraint, a type, a trigger, or the maximal length of a type or an index refuses a value.
  if (hasCode(error, /^(?:22001|22P02|23503|23505|23514|23P01|54000|P0001)$/)) return 'refused';
  // Connection lost, no resources, server or statement stopped, I/O error, repeated conflicts, only reads, lock timeout.
  return hasCode(error, /^(?:08|53|57|58|40|25006|55P03)/) ? 'unavailable' : undefined;
}
