import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { PostgresPool } from './pool.ts';
import type { Statement } from './statement.ts';

/** What the driver says when no response came in time, not even that the statement was cancelled. */
const SILENCE = 'Query read timeout';

/** The last message of a server that ends the connection: admin_shutdown, crash_shutdown. */
const CONNECTION_ENDED = /^57P0[12]$/;

/** What a statement returned. */
export interface Result {
  columns: string[];
  rows: unknown[][];
}

/** A connection of the pool, in use. It distinguishes a lost connection from an error of a statement. */
export class Connection implements Disposable {
  readonly #client: pg.PoolClient;
  readonly #pool: PostgresPool;
  #isLost = false;

  private constructor(client: pg.PoolClient, pool: PostgresPool) {
    this.#client = client;
    this.#pool = pool;
  }

  /** @throws ConnectionError when there is none; pg.DatabaseError when the server refuses one */
  static async open(pool: PostgresPool): Promise<Connection> {
    return new Connection(await pool.connect(), pool);
  }

  /** @throws ConnectionError when the connection was lost; pg.DatabaseError when the server refuses the statement */
  async execute(statement: Statement): Promise<Result> {
    try {
      const { fields, rows } = await this.#client.query<unknown[]>({ ...statement, rowMode: 'array' });
      return { columns: fields.map(({ name }) => name), rows };
    } catch (error) {
      if (error instanceof pg.DatabaseError && !CONNECTION_ENDED.test(error.code ?? '')) throw error;
      this.#isLost = true;
      if (error instanceof Error && error.message === SILENCE) this.#pool.lose();
      throw new ConnectionError('statement', error);
    }
  }

  async commit(): Promise<void> {
    try {
      await this.execute({ text: 'commit' });
    } catch (error) {
      throw error instanceof ConnectionError ? new ConnectionError('commit', error) : error;
    }
  }

  async rollback(): Promise<void> {
    // The server rolls back by itself what a lost connection has left.
    if (!this.#isLost) await this.execute({ text: 'rollback' });
  }

  [Symbol.dispose]() {
    this.#client.release(this.#isLost);
  }
}
