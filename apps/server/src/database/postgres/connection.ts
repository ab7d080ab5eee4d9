import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { Statement } from './statement.ts';

/** The last response of a server that ends a connection: shut down, crashed, idle for too long in a transaction. */
const CONNECTION_ENDED = /^(?:57P0\d|25P03)$/;

/** There is no such prepared statement, or there is one already: this is another session than before. */
const OTHER_SESSION = /^(?:26000|42P05)$/;

/** The class of the codes of warnings. */
const WARNING = '01';

/** What a statement returned. */
export interface Result {
  columns: string[];
  rows: unknown[][];
}

/** What the connections of a pool have in common. */
export interface ConnectionOwner {
  /** Whether statements are prepared. */
  canPrepare: boolean;
  /** When a server last responded to a statement of any of them, on the clock of `performance`. */
  respondedAt: number;
  /** Hears that no server has responded to any of them for as long as a statement may take. */
  onSilence(): void;
}

/** A client of the pool while it is in use. */
export class Connection {
  /** Set when the client must not go back to the pool. */
  isBroken = false;
  readonly #client: pg.PoolClient;
  readonly #owner: ConnectionOwner;

  constructor(client: pg.PoolClient, owner: ConnectionOwner) {
    this.#client = client;
    this.#owner = owner;
  }

  /**
   * Runs a statement. Several in one text are one message and one transaction.
   *
   * @returns the result, of several statements that of the last
   * @throws pg.DatabaseError when the server refuses it; ConnectionError `timeout` when no response came in time, and
   *   `statement` when the connection was lost
   */
  async execute({ name, ...statement }: Statement): Promise<Result> {
    const owner = this.#owner;
    const preparation = owner.canPrepare && name !== undefined ? { name } : {};
    const sentAt = performance.now();
    try {
      const result = lastOf(
        await this.#client.query<unknown[]>({ ...statement, ...preparation, rowMode: 'array' }),
      );
      owner.respondedAt = performance.now();
      return { columns: result?.fields.map(({ name }) => name) ?? [], rows: result?.rows ?? [] };
    } catch (error) {
      if (error instanceof pg.DatabaseError && !CONNECTION_ENDED.test(error.code ?? '')) {
        owner.respondedAt = performance.now();
        // A pooler gives each transaction another session, and does not take prepared statements along.
        if (isOtherSession(error)) owner.canPrepare = false;
        throw error;
      }
      this.isBroken = true;
      if (!isTimeout(error)) throw new ConnectionError('statement', error);
      if (owner.respondedAt < sentAt) owner.onSilence();
      throw new ConnectionError('timeout', error);
    }
  }

  /**
   * Runs a statement that commits, and waits until what is written is as durable as it is set to be.
   *
   * @throws what `execute` does, and ConnectionError `commit` when it may have been committed
   */
  async executeDurably(text: string): Promise<Result> {
    let isWarned = false;
    const onNotice = ({ code }: { code?: string | undefined }) => {
      isWarned ||= code?.startsWith(WARNING) === true;
    };
    this.#client.on('notice', onNotice);
    try {
      const result = await this.execute({ text });
      // An operator has cancelled the wait for a synchronous standby: the standby may lack what was written.
      if (isWarned) throw new ConnectionError('commit');
      return result;
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

type AnyResult = pg.QueryArrayResult<unknown[]>;

/** Several statements in one text give several results, which the types of node-postgres do not say. */
const lastOf = (results: AnyResult | AnyResult[]) => (Array.isArray(results) ? results.at(-1) : results);

/** Whether a prepared statement was not found as expected, which the server notices before it runs it. */
export const isOtherSession = (error: unknown) =>
  error instanceof pg.DatabaseError && OTHER_SESSION.test(error.code ?? '');

/** The `query_timeout` of node-postgres has no class of its own. */
const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';
