import type { Int64 } from '@petstore/contract';
import type { Parameters, Query, Values } from './query.ts';

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

/** Runs queries, in a transaction or outside. */
export interface Session {
  /** Runs a query and returns its rows. */
  query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>): Promise<Row[]>;
}

export interface Transaction extends Session {
  /**
   * Runs a query with each of many sets of values, and returns the rows of all of them. An insert adds all rows with
   * one statement.
   */
  queryEach<Named extends Parameters, Row>(
    query: Query<Named, Row>,
    sets: readonly Values<Named>[],
  ): Promise<Row[]>;
}

/** The connections to the server of a database. */
export interface ConnectionPool {
  /** At most. */
  readonly size: number;
  /** In use, or being opened or closed. */
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a free one. */
  readonly waiting: number;
}

/**
 * An open database: how the repositories reach it, and what differs from engine to engine. What it does is
 * repeated where the engine says that this helps and nothing of the attempt before can have been committed.
 */
export interface Database extends Session, AsyncDisposable {
  /** Runs a query that only reads pets, ascending by id. They are durable when it resolves. */
  read<Named extends Parameters, Row extends { readonly id: Int64 }>(
    query: Query<Named, Row>,
    values: Values<Named>,
  ): Promise<Versioned<Row[]>>;
  /**
   * Runs work in a transaction. Transactions run one at a time, those of other processes included. The work must have
   * no effect outside the transaction, for it may be repeated.
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** The present epoch, which some engines know without being asked. */
  epoch(): number | Promise<number>;
  /** The present version, commits of other processes included. */
  version(): DatabaseVersion | Promise<DatabaseVersion>;
  /** Its connections, where it has a server. */
  readonly pool?: ConnectionPool;
  /** Fails when pets cannot be read. */
  probe(): Promise<void>;
  /**
   * Classifies an error by why the database cannot work now, though it may later: `busy` when too many callers wait
   * for it, `unavailable` when it is away; `undefined` when the error is due to the work itself.
   */
  classify(error: unknown): 'busy' | 'unavailable' | undefined;
}
