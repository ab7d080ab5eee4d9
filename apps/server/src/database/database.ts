import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** What a database held at one moment; two equal versions mean equal content. */
export interface DatabaseVersion {
  /** Changes when committed data may be lost: after a fail-over, or when a backup was restored. */
  readonly epoch: number;
  /** Changes with every commit. `undefined` when the engine cannot tell, which equals nothing. */
  readonly content: number | undefined;
}

/** A value that was read, with a version of the database from before or at the read, never after it. */
export interface Versioned<Value> {
  readonly value: Value;
  readonly version: DatabaseVersion;
}

/** An open database: how the repositories reach it, and what differs from engine to engine. */
export interface Database extends AsyncDisposable {
  /** How many transactions are worth running side by side. */
  readonly maxConcurrentTransactions: number;
  /** The present epoch, without asking the database. */
  readonly epoch: number;
  /** Runs work that only reads, and repeats it where the engine says that this helps. */
  read<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Runs work in a transaction, and repeats it where the engine says that this helps and nothing of the
   * attempt before can have been committed. The work must have no effect outside the transaction.
   */
  transact<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** The present version, commits of other processes included. */
  version(): DatabaseVersion | Promise<DatabaseVersion>;
  /** Fails when pets cannot be read. */
  probe(): Promise<void>;
  /** Whether an error means that the database cannot work now, though it may later. */
  isUnavailable(error: unknown): boolean;
}
