import type { Int64 } from '@petstore/contract';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { NewPetRow, Tables } from './tables.ts';

interface Idempotency {
  /** A digest, as 32 hexadecimal digits. The pet is added only if no record of this key exists. */
  readonly key: string;
  /** A digest of the request, as an int64. A repetition has the same digest. */
  readonly fingerprint: bigint;
}

export interface PetAddition {
  readonly idempotency?: Idempotency | undefined;
  readonly row: NewPetRow;
}

/** The outcome of an addition: a new pet, or the pet that its key has added before. */
export type AddedPet<Id = Int64> =
  | { readonly isAdded: true; readonly id: Id }
  | { readonly isAdded: false; readonly id: Id; readonly hasSameFingerprint: boolean };

/** How far a caller may change the schema of a database: fully, only create it, or not at all. */
export type SchemaAccess = 'migrate' | 'create' | 'expect';

/** A database of one engine. Before `open` has succeeded, its queries fail with an error that is `unavailable`. */
export interface Database extends AsyncDisposable {
  /**
   * Runs the queries. A write is durable once it resolves. Writes and transactions of all processes run one at a time:
   * pets appear in the order of their ids, so that no page misses one. Reads and single writes are repeated after
   * transient errors, but only if the failed attempt cannot have committed; transactions are not repeated.
   */
  readonly db: Kysely<Tables>;
  /**
   * Opens the database, and brings its schema up to date. After a transient failure it can be called again.
   * @returns the names of the applied migrations
   * @throws DatabaseFault when the database is away, or cannot be used
   */
  open(access: SchemaAccess): Promise<string[]>;
  /**
   * Adds pets with ascending ids above all others, each at most once for its Idempotency-Key.
   * @returns the outcome of each, once it is durable
   */
  appendPets(additions: readonly PetAddition[]): Promise<AddedPet[]>;
  /** Calls of `appendPets` that a caller may make at a time. */
  readonly maxConcurrentAppends: number;
  /**
   * SQLite only: a number that changes with each commit of any process. Rows that were read after this call are current
   * while the number stays the same.
   */
  dataVersion?(): number;
  /** PostgreSQL only. */
  readonly pool?: pg.Pool & { readonly isBehind: boolean };
  /**
   * `busy`: too many callers wait. `unavailable`: the database is away. `behind`: it has an older timeline than this
   * process has seen. `exhausted`: no id is left. `refused`: a value breaks a rule of the database. `blocked`: the
   * database prevents this work, for example by a locked row. `undefined`: the work itself failed.
   */
  classify(
    error: unknown,
  ): 'busy' | 'unavailable' | 'behind' | 'exhausted' | 'refused' | 'blocked' | undefined;
}

/** Whether the cause is the work, not the database: other work may succeed. If so, nothing of the work was committed. */
export const isCausedByWork = (database: Pick<Database, 'classify'>, error: unknown): boolean =>
  [undefined, 'refused', 'blocked'].includes(database.classify(error));
