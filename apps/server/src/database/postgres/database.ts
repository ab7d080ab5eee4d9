import { type CompiledQuery, Kysely, type OperationNode, PostgresDialect, SelectQueryNode } from 'kysely';
import type pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import {
  type AddedPet,
  type Database,
  isCausedByWork,
  type PetAddition,
  type SchemaAccess,
} from '../database.ts';
import { DatabaseFault } from '../database-fault.ts';
import {
  type Engine,
  EngineDriver,
  type EngineTransaction,
  NO_RESULT,
  type Result,
  toRows,
} from '../driver.ts';
import { migrations as ownMigrations } from '../migrations/index.ts';
import type { Migrations } from '../migrator.ts';
import { isPrepared, type PreparedQuery } from '../prepared.ts';
import { reasonOf } from '../reason.ts';
import { retry } from '../retry.ts';
import type { Tables } from '../tables.ts';
import { Turns } from '../turns.ts';
import { appendPetsSql } from './append-pets.ts';
import { classify, isOtherSchema, isRetryable, isRetryableWrite, isRowLocked, isTimeout } from './errors.ts';
import { type CommandResult, execute, type Statement } from './execute.ts';
import { hostConfigs, type PostgresLocation } from './host-configs.ts';
import { createJoinedReads } from './joined-reads.ts';
import { compareSchema, migrate } from './migrate.ts';
import { PrimaryPool } from './pool.ts';
import { assertPrivileges } from './privileges.ts';
import { beginTransaction, writeLockSql } from './transaction.ts';

/** Retries work that a conflict or a lost connection has undone. */
const RETRY = { forMs: 3_000, pauseMs: 20 };

/** The share of its time limit that a statement may wait for a lock, so that its response is still in time. */
const LOCK_SHARE = 0.75;

/** How long a write waits for a row that another program has locked. Other writes wait for this write meanwhile. */
const ROW_LOCK_TIMEOUT_MS = 100;

/** A response is awaited for this long after the server's own statement timeout. */
const RESPONSE_GRACE_MS = 500;

/**
 * PostgreSQL overestimates the rows of a batch: with `jit` and `enable_seqscan` it would compile an append for a second,
 * or read a whole table.
 */
const PLAN_FOR_FEW_ROWS = `select set_config('jit', 'off', true), set_config('enable_seqscan', 'off', true)`;

/** Waiting does not repair PgBouncer's configuration. */
const POOLER_FAULT = /unsupported startup parameter|statement pooling mode/;

/** With 32 callers, node-postgres makes 1.5 times the reads by id and 1.3 times the transactions of postgres.js. */
export class PostgresDatabase implements Database, Engine {
  /** Kysely's own driver for PostgreSQL would run each read alone, and a write without the lock. */
  readonly db = new Kysely<Tables>({
    dialect: Object.assign(new PostgresDialect({ pool: async () => this.pool }), {
      createDriver: () => new EngineDriver(this),
    }),
  });
  readonly classify = classify;
  /** While one append waits for its commit, the next one is sent, and waits for the lock. */
  readonly maxConcurrentAppends = 2;
  readonly pool: PrimaryPool;
  readonly #hosts: readonly pg.ClientConfig[];
  readonly #migrations: Migrations;
  readonly #statementTimeoutMs: number;
  readonly #lockTimeoutMs: number;
  readonly #readJoined: (query: PreparedQuery) => Promise<Result>;
  /** One transaction at a time: transactions that wait for the lock would take all connections. */
  readonly #turns = new Turns(() => new ConnectionError('busy'));
  /** The pool of `migrate`. The database closes this pool, too: a service may stop during a migration. */
  #migrationPool: PrimaryPool | undefined;
  /** Why the last `open` has failed; `undefined` once the database is open. */
  #openError: unknown = new Error('the database is not open yet');

  /**
   * Makes a database that is not open yet.
   * @throws DatabaseFault when a certificate is missing, for example
   */
  constructor(
    location: PostgresLocation,
    limits: pg.PoolConfig & { statement_timeout: number },
    migrations: Migrations = ownMigrations,
  ) {
    const { statement_timeout: statementTimeoutMs, connectionTimeoutMillis } = limits;
    this.#hosts = hostConfigs(location);
    this.#migrations = migrations;
    this.#statementTimeoutMs = statementTimeoutMs;
    this.#lockTimeoutMs = Math.ceil(statementTimeoutMs * LOCK_SHARE);
    const query_timeout = statementTimeoutMs + RESPONSE_GRACE_MS;
    this.pool = new PrimaryPool(this.#hosts, { ...limits, query_timeout });
    this.#readJoined = createJoinedReads((statement) => this.#read(statement), connectionTimeoutMillis);
  }

  async open(access: SchemaAccess): Promise<string[]> {
    try {
      const { missing } = await compareSchema(this.pool, this.#migrations, access);
      const applied = missing.length > 0 ? await this.#migrate(access) : [];
      await assertPrivileges(this.pool);
      this.#openError = undefined;
      return applied;
    } catch (error) {
      this.#openError = error;
      // The connection may never respond again. If it gave no response to `begin`, Kysely puts it back into the pool.
      if (isTimeout(error)) this.pool.giveUp(new ConnectionError('connect', error));
      throw this.#explain(error);
    }
  }

  async run(query: CompiledQuery): Promise<Result> {
    if (isPrepared(query)) return this.#readJoined(query);
    if (isRead(query.query)) return this.#read({ text: query.sql, values: [...query.parameters] });
    return retry(() => this.#runInTransaction(query), { ...RETRY, when: isRetryableWrite });
  }

  begin(): Promise<EngineTransaction> {
    // Only the beginning is retried. A later statement is not, so it waits longer for a locked row than a single write.
    return retry(() => this.#begin(this.#lockTimeoutMs), { ...RETRY, when: isRetryableWrite });
  }

  /**
   * Sends one message, which is one transaction: between two messages this process could stall, and would hold the lock
   * until its connection ends.
   */
  async appendPets(additions: readonly PetAddition[]): Promise<AddedPet[]> {
    const lock = writeLockSql(this.#lockTimeoutMs, ROW_LOCK_TIMEOUT_MS);
    const text = [lock, PLAN_FOR_FEW_ROWS, appendPetsSql(additions)].join('\n;\n');
    const append = () => this.#execute({ text, commits: true });
    // A locked row fails only the addition that needs it: the batch is split (`isCausedByWork`), not retried.
    const when = (error: unknown) => isRetryableWrite(error) && !isRowLocked(error);
    const results = await retry(append, { ...RETRY, when });
    return toRows(results.at(-1) ?? NO_RESULT);
  }

  async [Symbol.asyncDispose]() {
    await Promise.all([this.pool.end(), this.#migrationPool?.end()]);
  }

  async #migrate(access: SchemaAccess): Promise<string[]> {
    const { connectionTimeoutMillis } = this.pool.options;
    this.#migrationPool = new PrimaryPool(this.#hosts, { max: 1, connectionTimeoutMillis, query_timeout: 0 });
    const statementTimeoutMs = this.#statementTimeoutMs;
    return migrate(this.#migrationPool, this.#migrations, { access, statementTimeoutMs });
  }

  async #read(statement: Statement): Promise<Result> {
    const [result] = await retry(() => this.#execute(statement), { ...RETRY, when: isRetryable });
    return result ?? NO_RESULT;
  }

  async #begin(rowLockTimeoutMs: number): Promise<EngineTransaction> {
    this.#assertOpen();
    const onEnd = await this.#turns.take();
    return beginTransaction(this.pool, { lockTimeoutMs: this.#lockTimeoutMs, rowLockTimeoutMs, onEnd });
  }

  async #runInTransaction(query: CompiledQuery): Promise<Result> {
    const transaction = await this.#begin(ROW_LOCK_TIMEOUT_MS);
    try {
      const result = await transaction.run(query);
      await transaction.commit();
      return result;
    } finally {
      await transaction.rollback();
    }
  }

  #execute(statement: Statement): Promise<CommandResult[]> {
    this.#assertOpen();
    return execute(this.pool, statement);
  }

  #assertOpen(): void {
    if (this.#openError !== undefined) throw new ConnectionError('connect', this.#openError);
  }

  #explain(error: unknown): DatabaseFault {
    const addresses = this.#hosts.map(({ host, port = 5432 }) => `${host}:${port}`);
    const hint = '$&: add $1 to ignore_startup_parameters in PgBouncer';
    const reason = reasonOf(error).replace(/unsupported startup parameter.*: (\w+)/, hint);
    const isTransient = canRecover(error) && !POOLER_FAULT.test(reason);
    const prefix = error instanceof DatabaseFault ? '' : `cannot use the database at ${addresses}: `;
    // Without the error as its cause: pino would append its message, which this one contains.
    return new DatabaseFault(prefix + reason, { isTransient });
  }
}

/** Whether a query only reads: a SELECT without WITH, because a WITH can contain a write. Raw SQL counts as a write. */
const isRead = (query: OperationNode) => SelectQueryNode.is(query) && query.with === undefined;

/** Whether a later attempt may succeed: the server was away, refused the connection, or was in conflict with others. */
function canRecover(error: unknown): boolean {
  // A failed migration has the engine's error as its cause.
  if (error instanceof DatabaseFault) return error.isTransient || canRecover(error.cause);
  if (!(error instanceof Error)) return false;
  // `checkServer` refuses the server of a new connection: for example, its version is too old.
  if (error.cause instanceof DatabaseFault) return false;
  // Errors of node-postgres have no class of their own.
  const lost = /^(?:Connection terminated|Client has encountered a connection error)/;
  if (lost.test(error.message) || isTimeout(error) || 'syscall' in error) return true;
  return !isCausedByWork({ classify }, error) && !isOtherSchema(error);
}
