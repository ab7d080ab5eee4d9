import type { Int64 } from './int64.ts';
import type { QueryRun } from './query.ts';

/** Identifies a repetition of an addition. */
export interface Idempotency {
  /** A UUID, without hyphens. */
  readonly key: string;
  /** An int64 that stands for what was asked for. A repetition has the same. */
  readonly fingerprint: bigint;
}

/** A row to append. */
export interface Addition {
  /** With a key the row is added only if the key has added none that is there. The record is committed with the row. */
  readonly idempotency?: Idempotency | undefined;
  /** The values of its columns, except for the id. */
  readonly row: Readonly<Record<string, Int64 | string | null>>;
}

/** The outcome of an addition: a new row, or the row that its key has added before. */
export type Appended =
  | { readonly isAdded: true; readonly id: Int64 }
  /** The id is that of the row that the key has added. */
  | { readonly isAdded: false; readonly id: Int64; readonly hasSameFingerprint: boolean };

/** The connections to the server of a database, as `pg.Pool` counts them. */
export interface ConnectionPool {
  readonly options: { readonly max: number };
  /** In use, idle, or being opened. */
  readonly totalCount: number;
  readonly idleCount: number;
  /** Callers that wait for a free one. */
  readonly waitingCount: number;
  /** Whether the servers that can be reached have an older history than this process has seen. */
  readonly isBehind: boolean;
}

/**
 * An open database: how repositories reach it, and what differs from engine to engine. Its methods repeat their work
 * where the engine says that this helps, and nothing of the attempt before can have been committed.
 */
export interface Database extends AsyncDisposable {
  /**
   * Runs a query, in a transaction of its own.
   *
   * @returns its rows, which are durable, and so is what it has written
   */
  query<Row>(run: QueryRun<Row>): Promise<Row[]>;
  /**
   * Adds rows after all others, in their order, each at most once for its key. Appends run one at
   * a time, those of other processes included.
   *
   * @returns the outcome of each, once it is durable
   */
  append(additions: readonly Addition[]): Promise<Appended[]>;
  /** Appends that may be under way at a time. */
  readonly maxConcurrentAppends: number;
  /**
   * Runs queries in their order, in one transaction. Transactions run one at a time, those of other processes included.
   *
   * @returns the rows of each, once what they have written is durable
   */
  transact<Row>(runs: readonly QueryRun<Row>[]): Promise<Row[][]>;
  /**
   * SQLite only: a number that changes with whatever is committed, by whichever process. What is read after it was asked
   * for is current while it stays the same.
   */
  dataVersion?(): number;
  /** Its connections, where it has a server. */
  readonly pool?: ConnectionPool | undefined;
  /**
   * Classifies an error by why the database cannot work now, though it may later: `busy` when too many callers wait
   * for it, `unavailable` when it is away, `behind` when it has an older history than was seen before, `exhausted` when
   * no id is left; `undefined` when the error is due to the work itself.
   */
  classify(error: unknown): 'busy' | 'unavailable' | 'behind' | 'exhausted' | undefined;
}
