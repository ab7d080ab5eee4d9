import { sql } from 'kysely';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Database, DatabaseVersion, Transaction, Versioned } from '../database.ts';
import { type Parameters, probe, type Query, toRow, type Values } from '../query.ts';
import { retry } from '../retry.ts';
import { type Connection, isOtherSession, type Result } from './connection.ts';
import type { PostgresPool } from './pool.ts';
import { type Compiled, compile } from './statement.ts';

/** Rows at most that one statement returns to several readers, who all hold them until their responses are sent. */
const MAX_SHARED_ROWS = 500;

/** Statements of one query at most that run at a time, while they are slow. */
const MAX_CONCURRENT_READS = 2;

/** How long work is repeated that a conflict or a lost connection has undone. */
const RETRY_MS = 3_000;
const RETRY_PAUSE_MS = 20;

/**
 * What a statement says of the server that runs it, and of what it sees there: a connection does not tell, because
 * behind a pooler or a proxy the next statement may run on another server. Any role may read it.
 *
 * - The start time identifies the server: a standby that takes over has its own, and a primary does not become one
 *   again without a start.
 * - The file of the table changes when the table or the database is replaced, by a restored one too.
 * - The snapshot lists the transactions that are seen: two equal ones of one server see the same.
 */
const STATE = `concat_ws(' ', extract(epoch from pg_postmaster_start_time()), coalesce(pg_relation_filepath('pets'), 'none'),
  pg_is_in_recovery(), pg_current_snapshot())`;

/** Of an engine whose snapshots may not tell what is committed: it equals no version, not even itself. */
const UNKNOWN_VERSION: DatabaseVersion = { epoch: Number.NaN, content: undefined };

/** Any number that no other program takes for its lock in the same database. */
const WRITE_LOCK = 0x50455454;

/**
 * How long a transaction may wait for its next statement: a server that stalls within one holds up the writes of all
 * others. It is shorter than they wait for the lock, so that they succeed afterwards.
 */
const STALLED_TRANSACTION_MS = 1_000;

/** The share of the time limit of a statement that may be spent waiting for a lock: the response still is in time. */
const LOCK_SHARE = 0.75;

/**
 * Begins a transaction. Transactions run one at a time in the whole database, as in SQLite: ids are assigned before
 * the commit, and a reader that has seen a higher id would never see a lower one that is committed later.
 *
 * The settings hold for the transaction only, because behind a pooler the session is shared with other programs.
 * Durability is raised to what survives a power failure, and never lowered: `remote_apply` stays.
 */
const beginScript = (statementTimeoutMs: number) => `
  begin;
  set local idle_in_transaction_session_timeout = ${STALLED_TRANSACTION_MS};
  set local lock_timeout = ${Math.ceil(statementTimeoutMs * LOCK_SHARE)};
  select set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') not in ('on', 'remote_apply');
  select pg_advisory_xact_lock(${WRITE_LOCK})`;

interface Prepared extends Compiled {
  /** Where reads that arrive in the same turn of the event loop meet, to share a statement. */
  reads: Batcher<Values, Versioned<Result>> | undefined;
}

export class PostgresDatabase implements Database {
  readonly classify = classify;
  readonly pool: PostgresPool;
  readonly #hasSnapshots: boolean;
  readonly #prepared = new WeakMap<Query, Prepared>();
  readonly #versions = createBatcher(
    (callers: readonly unknown[]) => this.#readVersion(callers.length),
    () => 1,
  );
  readonly #begin: string;
  #state: unknown;
  #server = '';
  #version: DatabaseVersion = { epoch: 0, content: 0 };

  /** @param hasSnapshots whether snapshots tell what is committed, as those of other engines may not */
  constructor(pool: PostgresPool, { hasSnapshots }: { hasSnapshots: boolean }) {
    this.pool = pool;
    this.#hasSnapshots = hasSnapshots;
    this.#begin = beginScript(pool.statementTimeoutMs);
  }

  async epoch() {
    return (await this.version()).epoch;
  }

  version() {
    return this.#hasSnapshots ? this.#versions.add(undefined) : UNKNOWN_VERSION;
  }

  async probe() {
    await this.version();
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
      try {
        const begun = connection.executeScript(this.#begin);
        const working = work({
          query: async (query, values) => toRows(await connection.execute(this.#prepare(query).one(values))),
          queryEach: async (query, sets) => {
            if (sets.length === 0) return [];
            const { many, isSelect } = this.#prepare(query);
            const result = await connection.execute(many(sets));
            return toRows(isSelect ? withoutNumbers(result) : result);
          },
        });
        // The first statement is sent together with the begin: others wait for this transaction. Where the begin
        // fails, PostgreSQL refuses what follows, and the first error is that of the begin.
        const [, result] = await Promise.all([begun, working]);
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback();
        throw error;
      }
    });
  }

  [Symbol.asyncDispose]() {
    return this.pool.end();
  }

  #withConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const attempt = async () => {
      using connection = await this.pool.acquire();
      return await work(connection);
    };
    return retry(attempt, { when: isWorthAnother, forMs: RETRY_MS, pauseMs: RETRY_PAUSE_MS });
  }

  #prepare(query: Query): Prepared {
    const known = this.#prepared.get(query);
    if (known) return known;
    const compiled = compile(query, sql.raw(this.#hasSnapshots ? STATE : 'null'));
    const canShare = compiled.isSelect && Object.keys(query.parameters).length > 0;
    const reads = canShare
      ? createBatcher((sets: readonly Values[]) => this.#readMany(compiled, sets), rowsOf)
      : undefined;
    const prepared = { ...compiled, reads };
    this.#prepared.set(query, prepared);
    return prepared;
  }

  async #readMany({ many }: Compiled, sets: readonly Values[]): Promise<Versioned<Result>[]> {
    const { columns, rows } = await this.#withConnection((connection) => connection.execute(many(sets)));
    const results = sets.map((): Result => ({ columns: columns.slice(0, -2), rows: [] }));
    let state: unknown;
    for (const row of rows) {
      state ??= row.at(-1);
      results[Number(row.at(-2)) - 1]?.rows.push(row);
    }
    const version = this.#toVersion(state);
    return results.map((value) => ({ value, version }));
  }

  async #readVersion(callers: number): Promise<DatabaseVersion[]> {
    const statement = { text: `select ${STATE}`, name: 'state' };
    const { rows } = await this.#withConnection((connection) => connection.execute(statement));
    return Array<DatabaseVersion>(callers).fill(this.#toVersion(rows[0]?.[0]));
  }

  /**
   * @throws ConnectionError `standby` when the statement ran on one: what it holds is old, and its snapshots do not
   *   change with every commit
   */
  #toVersion(state: unknown): DatabaseVersion {
    if (!this.#hasSnapshots) return UNKNOWN_VERSION;
    if (state === this.#state) return this.#version;
    const [start, file, isStandby] = String(state).split(' ');
    if (isStandby !== 'f') throw new ConnectionError('standby');
    const server = `${start} ${file}`;
    const { epoch, content = 0 } = this.#version;
    this.#version = { epoch: server === this.#server ? epoch : epoch + 1, content: content + 1 };
    this.#server = server;
    this.#state = state;
    return this.#version;
  }
}

/** The rows of all sets of values that have any. */
const withoutNumbers = ({ columns, rows }: Result): Result => ({
  columns: columns.slice(0, -2),
  rows: rows.filter((row) => row.at(-2) !== null),
});

const toRows = <Row>({ columns, rows }: Result) => rows.map((values) => toRow<Row>(columns, values));

function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  rowsOf: (item: Item) => number,
) {
  return new Batcher(run, {
    maxSize: MAX_SHARED_ROWS,
    sizeOf: rowsOf,
    maxConcurrent: MAX_CONCURRENT_READS,
    isolates: (error) => classify(error) === undefined,
  });
}

/** A read returns as many rows as its limit says, or one. */
const rowsOf = ({ limit }: Values) => Number(limit ?? 1);

/**
 * Undone without a trace, and likely to succeed now: another transaction was in the way, a connection was stale, or
 * led to another session. Never after silence: the statement may still run.
 */
const isWorthAnother = (error: unknown) =>
  error instanceof pg.DatabaseError
    ? /^(?:40001|40P01|23505)$/.test(error.code ?? '') || isOtherSession(error)
    : error instanceof ConnectionError && error.phase === 'statement';

/** Connection trouble, no resources, shut down or starting, a standby, lock timeout; and conflicts without end. */
const UNAVAILABLE = /^(?:08|53|57|58|40|25006|55P03)/;

function classify(error: unknown) {
  if (error instanceof ConnectionError) return error.phase === 'busy' ? 'busy' : 'unavailable';
  const isUnavailable = error instanceof pg.DatabaseError && UNAVAILABLE.test(error.code ?? '');
  return isUnavailable ? 'unavailable' : undefined;
}
