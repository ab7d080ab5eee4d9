import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** An open database: Kysely for the repositories, and what differs from engine to engine. */
export interface Database extends AsyncDisposable {
  kysely: Kysely<Tables>;
  /**
   * Runs work in a transaction that writes, again and for a while when another process is in its way.
   * The work must have no effect outside the transaction.
   */
  transact<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** Whether an error means that the database cannot answer now, though it may later. */
  isUnavailable(error: unknown): boolean;
}
