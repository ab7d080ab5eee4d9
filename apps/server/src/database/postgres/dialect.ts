import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import { isPrepared } from '../prepared.ts';
import type { PostgresPool } from './pool.ts';

/** A connection keeps what it has prepared for ever: beyond these, only what stands on the way of every request. */
const MAX_PREPARED_STATEMENTS = 200;

/** What the driver says when an answer did not come in time, not even that the statement was cancelled. */
const SILENCE = 'Query read timeout';

/** The server says, as its last word, that it ends the connection: admin_shutdown, crash_shutdown. */
const CONNECTION_ENDED = /^57P0[12]$/;

/**
 * Kysely's dialect prepares a statement for every query and leaves the driver's errors as they come; this
 * one has each connection keep its statements, and tells a lost connection from an answer.
 */
export class PreparingPostgresDialect implements Dialect {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  createDriver = () => new PreparingPostgresDriver(this.#pool);
  createQueryCompiler = () => new PostgresQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector = (db: Kysely<unknown>) => new PostgresIntrospector(db);
}

class PreparingPostgresDriver implements Driver {
  readonly #pool: PostgresPool;
  readonly #names = new Map<string, string>();

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async init() {}

  async acquireConnection() {
    return new PreparingConnection(await this.#pool.connect(), this.#pool, this.#names);
  }

  async beginTransaction(connection: PreparingConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: PreparingConnection) {
    try {
      await connection.executeQuery(CompiledQuery.raw('commit'));
    } catch (error) {
      throw error instanceof ConnectionError ? new ConnectionError('commit', error) : error;
    }
  }

  async rollbackTransaction(connection: PreparingConnection) {
    // The server rolls back by itself what a lost connection has left.
    if (!connection.isLost) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: PreparingConnection) {
    connection.release();
  }

  destroy() {
    return this.#pool.end();
  }
}

class PreparingConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #pool: PostgresPool;
  readonly #names: Map<string, string>;
  isLost = false;

  constructor(client: pg.PoolClient, pool: PostgresPool, names: Map<string, string>) {
    this.#client = client;
    this.#pool = pool;
    this.#names = names;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const name = this.#nameOf(query);
      const { rows, rowCount } = await this.#client.query({
        text: query.sql,
        values: [...query.parameters],
        ...(name && { name }),
      });
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      if (error instanceof pg.DatabaseError && !CONNECTION_ENDED.test(error.code ?? '')) throw error;
      this.isLost = true;
      if (error instanceof Error && error.message === SILENCE) this.#pool.lose();
      throw new ConnectionError('statement', error);
    }
  }

  streamQuery(): never {
    throw new Error('Nothing here is streamed');
  }

  release() {
    this.#client.release(this.isLost);
  }

  /** The server keeps a statement that has a name prepared. */
  #nameOf(query: CompiledQuery): string | undefined {
    const known = this.#names.get(query.sql);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_PREPARED_STATEMENTS && !isPrepared(query)) return undefined;
    const name = `petstore_${this.#names.size}`;
    this.#names.set(query.sql, name);
    return name;
  }
}
