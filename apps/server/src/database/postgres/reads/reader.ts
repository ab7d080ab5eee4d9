import { sql } from 'kysely';
import { Batcher } from '../../batcher.ts';
import {
  assertBounds,
  maxRowsOf,
  type Parameters,
  type Query,
  type QueryBounds,
  toRow,
  type Values,
} from '../../query.ts';
import { retry } from '../../retry.ts';
import type { Connection, Result } from '../connections/connection.ts';
import type { PostgresPool } from '../connections/pool.ts';
import { classify, isOtherServer, isWorthAnother } from '../errors.ts';
import { type Compiled, compile, type Statement } from './statement.ts';

/** Rows at most that one statement returns to several readers, who all hold them until their responses are sent. */
const MAX_SHARED_ROWS = 500;

/** Statements of one query at most that run at a time, while they are slow. */
const MAX_CONCURRENT_READS = 2;

/** How long work is repeated that a conflict or a lost connection has undone. */
const RETRY_MS = 3_000;
const RETRY_PAUSE_MS = 20;

/** How a statement tells the version that it sees. */
export interface VersionSource<Version> {
  readonly sql: string;
  /** @throws ConnectionError when the server is not one to read from */
  parse(text: string): Version;
}

interface Read<Version> {
  result: Result;
  version: Version;
}

interface Prepared<Version> {
  one: Compiled['one'];
  /** Where reads that arrive together share a statement. */
  reads: Batcher<Values, Read<Version>> | undefined;
}

/** Runs queries on the server that a pool leads to, each read with the version that its statement sees. */
export class PostgresReader<Version> {
  readonly pool: PostgresPool;
  readonly #source: VersionSource<Version>;
  readonly #prepared = new WeakMap<Query, Prepared<Version>>();
  readonly #versions: Batcher<unknown, Version>;

  constructor(pool: PostgresPool, source: VersionSource<Version>) {
    this.pool = pool;
    this.#source = source;
    this.#versions = createBatcher(
      (callers: readonly unknown[]) => this.#readVersion(callers.length),
      () => 1,
    );
  }

  /** The version now: one statement for all callers that ask for it together. */
  version(): Promise<Version> {
    return this.#versions.add(undefined);
  }

  async read<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    const { reads } = this.prepare(query);
    if (reads === undefined) {
      const version = await this.version();
      return { value: await this.query(query, values), version };
    }
    const { result, version } = await reads.add(values);
    return { value: toRows<Row>(result), version };
  }

  async query<Named extends Parameters, Row>(query: Query<Named, Row>, values: Values<Named>) {
    const { one, reads } = this.prepare(query);
    if (reads) return toRows<Row>((await reads.add(values)).result);
    const result = await this.withConnection((connection) => connection.execute(one(values)));
    assertBounds(query, result.rows.length);
    return toRows<Row>(result);
  }

  withConnection<Outcome>(
    work: (connection: Connection) => Promise<Outcome>,
    isRepeated = isWorthAnother,
  ): Promise<Outcome> {
    const attempt = async () => {
      using connection = await this.pool.acquire();
      try {
        return await work(connection);
      } catch (error) {
        // After a failover connections may lead to a server that is no longer the primary.
        if (isOtherServer(error)) this.#leave(connection);
        throw error;
      }
    };
    return retry(attempt, { when: isRepeated, forMs: RETRY_MS, pauseMs: RETRY_PAUSE_MS });
  }

  prepare(query: Query): Prepared<Version> {
    const known = this.#prepared.get(query);
    if (known) return known;
    const { one, many } = compile(query, sql.raw(this.#source.sql));
    const { bounds } = query;
    const reads =
      many &&
      bounds &&
      createBatcher(
        (sets: readonly Values[]) => this.#readMany(many(sets), sets.length, bounds),
        (values) => maxRowsOf(bounds, values),
      );
    const prepared = { one, reads };
    this.#prepared.set(query, prepared);
    return prepared;
  }

  #leave(connection: Connection): void {
    void connection.close();
    this.pool.onSilence();
  }

  async #readMany(statement: Statement, sets: number, bounds: QueryBounds): Promise<Read<Version>[]> {
    const { columns, rows, version } = await this.withConnection(async (connection) => {
      const result = await connection.execute(statement);
      const version = result.rows.find((row) => row.at(-1) !== null)?.at(-1);
      return { ...result, version: this.#source.parse(String(version)) };
    });
    const results = Array.from({ length: sets }, (): Result => ({ columns: columns.slice(0, -2), rows: [] }));
    for (const row of rows) results[Number(row.at(-2)) - 1]?.rows.push(row);
    for (const { rows } of results) assertBounds({ bounds }, rows.length);
    return results.map((result) => ({ result, version }));
  }

  async #readVersion(callers: number): Promise<Version[]> {
    const statement = { text: `select ${this.#source.sql}`, name: 'version' };
    const version = await this.withConnection(async (connection) => {
      const { rows } = await connection.execute(statement);
      return this.#source.parse(String(rows[0]?.[0]));
    });
    return Array<Version>(callers).fill(version);
  }
}

/** The rows of a result as objects. */
export const toRows = <Row>({ columns, rows }: Result) => rows.map((values) => toRow<Row>(columns, values));

function createBatcher<Item, Outcome>(
  run: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  rowsOf: (item: Item) => number,
) {
  return new Batcher(run, {
    maxSize: MAX_SHARED_ROWS,
    sizeOf: rowsOf,
    maxConcurrent: MAX_CONCURRENT_READS,
    isolates: (error) => classify(error) === undefined,
  });
}
