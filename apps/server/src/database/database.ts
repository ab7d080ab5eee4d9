import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** Stands for what a database holds: another object means that something may have been committed. */
export type DatabaseVersion = object;

/** Stands for the time within which all that is seen in a database stays in it. */
export type DatabaseEpoch = object;

/** An open database: how the repositories reach it, and what differs from engine to engine. */
export interface Database extends AsyncDisposable {
  /** Transactions that it is worth to have going side by side. */
  writers: number;
  /** Runs work that only reads, again where the engine says that this helps. */
  read<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Runs work in a transaction, again where the engine says that this helps and nothing of the attempt
   * before can have been committed. The work must have no effect outside the transaction.
   */
  transact<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Another object when what was committed may be lost: behind a connection that takes the place of one that
   * ended may be another server, such as a standby that did not have the last commits.
   */
  readonly epoch: DatabaseEpoch;
  /** The present version, commits of other processes included; `undefined` when the engine cannot tell. */
  version(): Promise<DatabaseVersion | undefined>;
  /** Whether an error means that the database cannot answer now, though it may later. */
  isUnavailable(error: unknown): boolean;
}
