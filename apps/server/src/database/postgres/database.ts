import { sql } from 'kysely';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Database, DatabaseVersion, Transaction, Versioned } from '../database.ts';
import { type Parameters, probe, type Query, toRow, type Values } from '../query.ts';
import { retry } from '../retry.ts';
import { Connection, type Result } from './connection.ts';
import type { PostgresPool } from './pool.ts';
import { type Compiled, compile } from './statement.ts';

/** While one batch of creations waits for its commit, another is prepared; more make the batches small. */
const MAX_TRANSACTIONS = 2;

/** Reads in one statement at most, and statements of one query at a time. */
const MAX_READS = 100;
const MAX_CONCURRENT_READS = 2;

/** How long work is repeated that a conflict or a lost connection has undone. */
const RETRY_MS = 3_000;
const RETRY_PAUSE_MS = 20;

/** It lists the transactions that are seen: two equal ones of one server see the same. */
const SNAPSHOT = 'pg_current_snapshot()::text';

interface Prepared extends Compiled {
  /** Where reads that arrive in the same turn of the event loop meet, to share a statement. */
  reads: Batcher<Values<Parameters>, Versioned<Result>> | undefined;
}

export class PostgresDatabase implements Database {
  readonly maxConcurrentTransactions: number;
  readonly isUnavailable = isUnavailable;
  readonly #pool: PostgresPool;
  readonly #hasSnapshots: boolean;
  readonly #prepared = new WeakMap<object, Prepared>();
  readonly #versions = createBatcher((callers: readonly unknown[]) => this.#readVersion(callers.length));
  #snapshot: unknown;
  #version: DatabaseVersion = { epoch: 0, content: 0 };

  /** @param hasSnapshots whether snapshots tell what is committed, as those of other engines may not */
  constructor(pool: PostgresPool, { poolSize, hasSnapshots }: { poolSize: number; hasSnapshots: boolean }) {
    this.maxConcurrentTransactions = Math.min(MAX_TRANSACTIONS, Math.ceil(poolSize / 2));
    this.#pool = pool;
    this.#hasSnapshots = hasSnapshots;
  }

  get epoch() {
    return this.#pool.epoch;
  }

  version() {
    return this.#hasSnapshots ? this.#versions.add(undefined) : { epoch: this.epoch, content: undefined };
  }

  async probe() {
    await this.query(probe, {});
  }

  async read<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    const { reads } = this.#prepare(query);
    if (reads === undefined) {
      const version = await this.version();
      return { value: await this.query(query, values), version };
    }
    const { value, version } = await reads.add(values);
    return { value: toRows<Row>(value), version };
  }

  async query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    const { one, reads } = this.#prepare(query);
    if (reads) return toRows<Row>((await reads.add(values)).value);
    return toRows<Row>(await this.#withConnection((connection) => connection.execute(one(values))));
  }

  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#withConnection(async (connection) => {
      await connection.execute({ text: 'begin' });
      try {
        const result = await work({
          query: async (query, values) => toRows(await connection.execute(this.#prepare(query).one(values))),
          queryEach: async (query, sets) => {
            if (sets.length === 0) return [];
            const { many, isSelect } = this.#prepare(query);
            const result = await connection.execute(many(sets));
            return toRows(isSelect ? withoutNumbers(result) : result);
          },
        });
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback();
        throw error;
      }
    });
  }

  [Symbol.asyncDispose]() {
    return this.#pool.end();
  }

  #withConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const attempt = async () => {
      using connection = await Connection.open(this.#pool);
      return await work(connection);
    };
    return retry(attempt, { when: isWorthAnother, forMs: RETRY_MS, pauseMs: RETRY_PAUSE_MS });
  }

  #prepare(query: Query<Parameters, unknown>): Prepared {
    const known = this.#prepared.get(query);
    if (known) return known;
    const compiled = compile(query, sql.raw(this.#hasSnapshots ? SNAPSHOT : 'null'));
    const canShare = compiled.isSelect && Object.keys(query.parameters).length > 0;
    const reads = canShare
      ? createBatcher((sets: readonly Values<Parameters>[]) => this.#readMany(compiled, sets))
      : undefined;
    const prepared = { ...compiled, reads };
    this.#prepared.set(query, prepared);
    return prepared;
  }

  async #readMany({ many }: Compiled, sets: readonly Values<Parameters>[]): Promise<Versioned<Result>[]> {
    const { epoch } = this;
    const { columns, rows } = await this.#withConnection((connection) => connection.execute(many(sets)));
    const results = sets.map((): Result => ({ columns: columns.slice(0, -2), rows: [] }));
    let snapshot: unknown;
    for (const row of rows) {
      snapshot ??= row.at(-1);
      results[Number(row.at(-2)) - 1]?.rows.push(row);
    }
    const version = this.#toVersion(epoch, snapshot);
    return results.map((value) => ({ value, version }));
  }

  async #readVersion(callers: number): Promise<DatabaseVersion[]> {
    const { epoch } = this;
    const statement = { text: `select ${SNAPSHOT}`, name: 'snapshot' };
    const { rows } = await this.#withConnection((connection) => connection.execute(statement));
    return Array<DatabaseVersion>(callers).fill(this.#toVersion(epoch, rows[0]?.[0]));
  }

  /** @param epoch from before the snapshot was read */
  #toVersion(epoch: number, snapshot: unknown): DatabaseVersion {
    if (!this.#hasSnapshots) return { epoch, content: undefined };
    const isKnown = snapshot === this.#snapshot && epoch === this.#version.epoch;
    // A connection that ended meanwhile leaves it open which server the snapshot is of.
    if (!isKnown || epoch !== this.epoch) {
      this.#snapshot = snapshot;
      this.#version = { epoch, content: (this.#version.content ?? 0) + 1 };
    }
    return this.#version;
  }
}

/** The rows of all sets of values that have any. */
const withoutNumbers = ({ columns, rows }: Result): Result => ({
  columns: columns.slice(0, -2),
  rows: rows.filter((row) => row.at(-2) !== null),
});

const toRows = <Row>({ columns, rows }: Result) => rows.map((values) => toRow<Row>(columns, values));

function createBatcher<Item, Result>(run: (items: readonly Item[]) => Promise<readonly Result[]>) {
  const isolates = (error: unknown) => !isUnavailable(error);
  return new Batcher(run, { maxBatch: MAX_READS, maxConcurrent: MAX_CONCURRENT_READS, isolates });
}

/** Undone without a trace, and likely to succeed now: another transaction was in the way, or a connection was stale. */
const isWorthAnother = (error: unknown) =>
  error instanceof pg.DatabaseError
    ? /^(?:40001|40P01|23505)$/.test(error.code ?? '')
    : error instanceof ConnectionError && error.phase === 'statement';

/** Connection trouble, no resources, shut down or starting, a standby, statement timeout; and conflicts without end. */
const UNAVAILABLE = /^(?:08|53|57|58|40|25006|55P03)/;

const isUnavailable = (error: unknown) =>
  error instanceof pg.DatabaseError ? UNAVAILABLE.test(error.code ?? '') : error instanceof ConnectionError;
