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
import { ConnectionError } from './connection-error.ts';

/** After a connection could not be made, how long everybody is told so at once. */
const AWAY_MS = 250;

/** Callers that may wait for a free connection, for each connection there is. */
const MAX_WAITING_PER_CONNECTION = 50;

/** A connection keeps what it has prepared; the service has a few dozen statements, and some per size of a batch. */
const MAX_PREPARED_STATEMENTS = 200;

/** The server says, as its last word, that it ends the connection: admin_shutdown, crash_shutdown. */
const CONNECTION_ENDED = /^57P0[12]$/;

/**
 * Kysely's dialect prepares a statement for every query and leaves the driver's errors as they come; this
 * one has each connection keep its statements, and tells a lost connection from an answer.
 */
export class PreparingPostgresDialect implements Dialect {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  createDriver = () => new PreparingPostgresDriver(this.#pool);
  createQueryCompiler = () => new PostgresQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector = (db: Kysely<unknown>) => new PostgresIntrospector(db);
}

class PreparingPostgresDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();
  #awayUntil = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init() {}

  async acquireConnection() {
    const { waitingCount, options } = this.#pool;
    const isCrowded = waitingCount >= options.max * MAX_WAITING_PER_CONNECTION;
    if (isCrowded || performance.now() < this.#awayUntil) throw new ConnectionError('connect');
    try {
      return new PreparingConnection(await this.#pool.connect(), this.#names);
    } catch (error) {
      this.#awayUntil = performance.now() + AWAY_MS;
      throw error instanceof pg.DatabaseError ? error : new ConnectionError('connect', error);
    }
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
  readonly #names: Map<string, string>;
  isLost = false;

  constructor(client: pg.PoolClient, names: Map<string, string>) {
    this.#client = client;
    this.#names = names;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const name = this.#nameOf(sql);
      const { rows, rowCount } = await this.#client.query({
        text: sql,
        values: [...parameters],
        ...(name && { name }),
      });
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      if (error instanceof pg.DatabaseError && !CONNECTION_ENDED.test(error.code ?? '')) throw error;
      this.isLost = true;
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
  #nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql);
    if (known !== undefined || this.#names.size >= MAX_PREPARED_STATEMENTS) return known;
    const name = `petstore_${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }
}
