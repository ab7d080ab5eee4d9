import { Batcher } from '../batcher.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Addition, Appended, Database, SchemaAccess } from '../database.ts';
import type { DatabaseFault } from '../database-fault.ts';
import { type Query, type QueryRun, type Result, toRows, type Values } from '../query.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { classify, isRetryable, isRetryableWrite } from './errors.ts';
import { execute, type Statement } from './execute.ts';
import { locksOf } from './locks.ts';
import { assertPrivileges, compareSchema, migrate } from './migrate.ts';
import type { PrimaryPool } from './pool.ts';
import { compileRead, textOf } from './statement.ts';

/** Retries work that a conflict or a lost connection has undone. */
const RETRY = { forMs: 3_000, pauseMs: 20 };

/** The share of its time limit that a statement may wait for a lock, so that its response is still in time. */
const LOCK_SHARE = 0.75;

/** How long a write waits for a row that another program has locked. Other writes wait for this write meanwhile. */
const ROW_LOCK_TIMEOUT_MS = 100;

/**
 * The beginning of a message that writes. Its settings end with the transaction, because a pooler shares the session.
 * Commits survive a power failure, and a higher durability is kept. PostgreSQL overestimates the rows of a batch: with
 * `jit` and `enable_seqscan` it would compile an append for a second, or read a whole table.
 */
const beginSql = (lock: number, lockTimeoutMs: number) => `
  select set_config('lock_timeout', '${lockTimeoutMs}', true), set_config('synchronous_commit',
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true),
    set_config('jit', 'off', true), set_config('enable_seqscan', 'off', true);
  select pg_advisory_xact_lock(${lock}), set_config('lock_timeout', '${ROW_LOCK_TIMEOUT_MS}', true)`;

interface PostgresOptions {
  statementTimeoutMs: number;
  /** A migration may take longer than the statements of requests. */
  createMigrationPool(): PrimaryPool;
  explain(error: unknown): DatabaseFault;
}

export class PostgresDatabase implements Database {
  readonly classify = classify;
  readonly maxConcurrentAppends = 2;
  readonly pool: PrimaryPool;
  readonly #schema: Schema;
  readonly #options: PostgresOptions;
  readonly #lockTimeoutMs: number;
  #migrationPool: PrimaryPool | undefined;
  #isOpen = false;
  /** Reads that arrive together share a statement. */
  readonly #reads = new WeakMap<Query, Batcher<Values, Result>>();

  constructor(pool: PrimaryPool, schema: Schema, options: PostgresOptions) {
    this.pool = pool;
    this.#schema = schema;
    this.#options = options;
    this.#lockTimeoutMs = Math.ceil(options.statementTimeoutMs * LOCK_SHARE);
  }

  async open(access: SchemaAccess): Promise<string[]> {
    const { explain, createMigrationPool, statementTimeoutMs } = this.#options;
    try {
      const { missing } = await compareSchema(this.pool, this.#schema, access);
      if (missing.length > 0) {
        this.#migrationPool = createMigrationPool();
        await migrate(this.#migrationPool, this.#schema, { access, statementTimeoutMs });
      }
      await assertPrivileges(this.pool, this.#schema);
      this.#isOpen = true;
      return missing;
    } catch (error) {
      throw explain(error);
    }
  }

  async query<Row>(run: QueryRun<Row>): Promise<Row[]> {
    const reads = this.#readsOf(run.query);
    if (reads !== undefined) return toRows(run.query, await reads.add(run.values));
    const [rows = []] = await this.transact([run]);
    return rows;
  }

  async append(additions: readonly Addition[]): Promise<Appended[]> {
    const run = this.#schema.append.postgres(additions);
    const [result] = await this.#write('append', [textOf(run)]);
    return toRows(run.query, result);
  }

  async transact<Row>(runs: readonly QueryRun<Row>[]): Promise<Row[][]> {
    const results = await this.#write('transaction', runs.map(textOf));
    return runs.map(({ query }, index) => toRows(query, results[index]));
  }

  async [Symbol.asyncDispose]() {
    await Promise.all([this.pool.end(), this.#migrationPool?.end()]);
  }

  /**
   * Runs statements in one message, which is one transaction: a server that stalled between two messages would hold the
   * lock until its connection ends. The text contains the values, because a message with parameters has one statement.
   */
  async #write(lock: 'append' | 'transaction', statements: readonly string[]): Promise<Result[]> {
    const begin = beginSql(locksOf(this.#schema.applicationId)[lock], this.#lockTimeoutMs);
    const text = [begin, ...statements].join('\n;\n');
    const write = () => this.#execute({ text, commits: true });
    const results = await retry(write, { ...RETRY, when: isRetryableWrite });
    return results.slice(-statements.length);
  }

  #execute(statement: Statement): Promise<Result[]> {
    if (!this.#isOpen) throw new ConnectionError('connect');
    return execute(this.pool, statement);
  }

  /**
   * Finds the batcher of a query. Without it, a single pet takes 2.06 times the processor time, and a list 1.51 times.
   * @returns `undefined` for a query that writes
   */
  #readsOf(query: Query): Batcher<Values, Result> | undefined {
    const known = this.#reads.get(query);
    if (known !== undefined) return known;
    const statementOf = compileRead(query);
    if (statementOf === undefined) return undefined;
    const read = async (sets: readonly Values[]) => {
      const statement = statementOf(sets);
      const run = () => this.#execute(statement);
      const [result] = await retry(run, { ...RETRY, when: isRetryable });
      // The last column is the index of the set of values.
      const rowsOf = Map.groupBy(result?.rows ?? [], (row) => Number(row.at(-1)));
      const columns = result?.columns.slice(0, -1) ?? [];
      return sets.map((_, index) => ({ columns, rows: rowsOf.get(index) ?? [] }));
    };
    const reads = new Batcher<Values, Result>(read, {
      sizeOf: ({ limit }) => Math.min(query.maxRows, Number(limit ?? query.maxRows)),
      maxConcurrent: 2,
      maxWaitMs: this.pool.options.connectionTimeoutMillis,
      isolates: (error) => classify(error) === undefined,
    });
    this.#reads.set(query, reads);
    return reads;
  }
}
