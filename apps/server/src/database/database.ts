import type { Int64 } from './int64.ts';
import type { QueryRun } from './query.ts';

interface Idempotency {
  /** A UUID, without hyphens. The row is added only if no row of this key exists. */
  readonly key: string;
  /** A digest of the request, as an int64. A repetition has the same digest. */
  readonly fingerprint: bigint;
}

export interface Addition {
  readonly idempotency?: Idempotency | undefined;
  /** Values by column, without the id. */
  readonly row: Readonly<Record<string, Int64 | string | null>>;
}

/** The outcome of an addition: a new row, or the row that its key has added before. */
export type Appended =
  | { readonly isAdded: true; readonly id: Int64 }
  | { readonly isAdded: false; readonly id: Int64; readonly hasSameFingerprint: boolean };

/** Numbers of connections, named as in `pg.Pool`. */
export interface ConnectionPool {
  readonly options: { readonly max: number };
  /** Connections in use, idle, or being opened. */
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  /** Whether all reachable servers have an older history than this process has seen. */
  readonly isBehind: boolean;
}

/** How far a caller may change the schema of a database: fully, only create it, or not at all. */
export type SchemaAccess = 'migrate' | 'create' | 'expect';

/**
 * A database, as repositories use it. Its methods retry transient errors, but only if the failed attempt cannot have
 * committed. Before `open` has succeeded, methods fail with an error that is `unavailable`.
 */
export interface Database extends AsyncDisposable {
  /**
   * Opens the database, and brings its schema up to date. After a transient failure it can be called again.
   * @returns the names of the applied migrations
   * @throws DatabaseFault when the database is away, or cannot be used
   */
  open(access: SchemaAccess): Promise<string[]>;
  /** Runs a query in a transaction of its own. The rows that it returns, and its writes, are durable. */
  query<Row>(run: QueryRun<Row>): Promise<Row[]>;
  /**
   * Adds rows with ascending ids above all others, each at most once for its key. Appends of all processes run one at a
   * time.
   * @returns the outcome of each, once it is durable
   */
  append(additions: readonly Addition[]): Promise<Appended[]>;
  /** Appends that a caller may run at a time. */
  readonly maxConcurrentAppends: number;
  /**
   * Runs queries in their order, in one transaction. Transactions of all processes run one at a time.
   * @returns the rows of each query, once its writes are durable
   */
  transact<Row>(runs: readonly QueryRun<Row>[]): Promise<Row[][]>;
  /**
   * SQLite only: a number that changes with each commit of any process. Rows that were read after this call are current
   * while the number stays the same.
   */
  dataVersion?(): number;
  readonly pool?: ConnectionPool | undefined;
  /**
   * `busy`: too many callers wait. `unavailable`: the database is away. `behind`: it has an older history than this
   * process has seen. `exhausted`: no id is left. `undefined`: the work itself failed.
   */
  classify(error: unknown): 'busy' | 'unavailable' | 'behind' | 'exhausted' | undefined;
}
