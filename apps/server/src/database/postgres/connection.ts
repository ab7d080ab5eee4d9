import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { Result } from '../query.ts';
import { isOtherSession, isReadOnly, isResponse } from './errors.ts';
import type { PrimaryPool } from './pool.ts';
import type { Statement } from './statement.ts';

/** The class of the codes of warnings. */
const WARNING = '01';

/**
 * Runs work on a connection of a pool.
 *
 * @throws ConnectionError when there is none; pg.DatabaseError when the server refuses one; what the work throws
 */
export async function withConnection<Outcome>(
  pool: PrimaryPool,
  work: (connection: Connection) => Promise<Outcome>,
): Promise<Outcome> {
  const client = await pool.connect();
  const connection = new Connection(client, pool);
  try {
    return await work(connection);
  } finally {
    client.release(connection.isBroken);
  }
}

/** A client of the pool while it is in use. */
export class Connection {
  /** Set when the client must not go back to the pool. */
  isBroken = false;
  readonly #client: pg.PoolClient;
  readonly #pool: PrimaryPool;

  constructor(client: pg.PoolClient, pool: PrimaryPool) {
    this.#client = client;
    this.#pool = pool;
  }

  /**
   * Runs a statement. Several in one text are one message and one transaction.
   *
   * @returns the result of each statement
   * @throws pg.DatabaseError when the server refuses it; ConnectionError `timeout` when no response came in time, and
   *   `statement` when the connection was lost
   */
  async execute({ name, ...statement }: Statement): Promise<Result[]> {
    const pool = this.#pool;
    const preparation = pool.canPrepare && name !== undefined ? { name } : {};
    const sentAt = performance.now();
    try {
      const result: AnyResult | AnyResult[] = await this.#client.query<unknown[]>({
        ...statement,
        ...preparation,
        rowMode: 'array',
      });
      pool.respondedAt = performance.now();
      return [result].flat().map(({ fields, rows }) => ({ columns: fields.map(({ name }) => name), rows }));
    } catch (error) {
      this.isBroken = !isResponse(error) || isReadOnly(error);
      if (isReadOnly(error)) pool.giveUp(new ConnectionError('standby', error));
      // A pooler gives each transaction another session, and does not take prepared statements along.
      if (isOtherSession(error)) pool.canPrepare = false;
      if (isResponse(error)) pool.respondedAt = performance.now();
      if (isResponse(error)) throw error;
      if (!isTimeout(error)) throw new ConnectionError('statement', error);
      if (pool.respondedAt < sentAt) pool.giveUp(new ConnectionError('connect', error));
      throw new ConnectionError('timeout', error);
    }
  }

  /**
   * Runs statements that commit, and waits until what is written is as durable as it is set to be.
   *
   * @throws what `execute` does, and ConnectionError `commit` when it may have been committed
   */
  async executeDurably(text: string): Promise<Result[]> {
    let isWarned = false;
    const onNotice = ({ code }: { code?: string | undefined }) => {
      isWarned ||= code?.startsWith(WARNING) === true;
    };
    this.#client.on('notice', onNotice);
    try {
      const results = await this.execute({ text });
      // An operator has cancelled the wait for a synchronous standby: the standby may lack what was written.
      if (isWarned) throw new ConnectionError('commit');
      return results;
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.phase !== 'statement') throw error;
      // What ended the connection by an error has rolled the statement back, unless it warns of a commit.
      throw !isWarned && error.cause instanceof pg.DatabaseError
        ? error
        : new ConnectionError('commit', error);
    } finally {
      this.#client.off('notice', onNotice);
    }
  }
}

/** The types of node-postgres do not say that several statements in one text give several results. */
type AnyResult = pg.QueryArrayResult<unknown[]>;

/** The `query_timeout` of node-postgres has no class of its own. */
const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';
