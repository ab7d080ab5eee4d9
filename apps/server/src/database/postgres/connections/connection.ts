import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { ConnectionError } from '../../connection-error.ts';
import type { Statement } from '../reads/statement.ts';
import { type BackendKey, requestCancel } from './cancel.ts';

/** Why a statement is given up. The `query_timeout` of node-postgres would destroy a connection in pipeline mode. */
const SILENCE = new Error('No response came in time');

/** The last response of a server that ends a connection: admin_shutdown, crash_shutdown, idle in transaction. */
const CONNECTION_ENDED = /^(?:57P0[12]|25P03)$/;

/** There is no such prepared statement, or there is one already: this is another session than before. */
const OTHER_SESSION = /^(?:26000|42P05)$/;

/** The class of the codes of warnings. */
const WARNING = '01';

/** How long a request to cancel may take, and after how long it is repeated when it could not be delivered. */
const CANCEL_TIMEOUT_MS = 500;
const CANCEL_INTERVAL_MS = 250;

/** How long the server may take to close its side: when it has nothing to do, and when it has to cancel first. */
const CLOSE_TIMEOUT_MS = 500;
const CANCELLED_CLOSE_TIMEOUT_MS = 5_000;

/** What a statement returned. */
export interface Result {
  columns: string[];
  rows: unknown[][];
}

/** What the connections of a pool have in common. */
export interface ConnectionOwner {
  /** How long the response to a statement may take. */
  readonly statementTimeoutMs: number;
  /** Whether statements are prepared. */
  canPrepare: boolean;
  /** When a server last responded to a statement of any of them, on the clock of `performance`. */
  respondedAt: number;
  /** Takes back a connection after use. */
  release(connection: Connection): void;
  /** Hears that no server has responded to any of them for as long as a statement may take. */
  onSilence(): void;
}

/** A connection, from its start until the server has closed it. Disposing of it gives it back to its owner. */
export class Connection implements Disposable {
  /** Resolves when the connection is closed: until then the server may have a process for it. */
  readonly closed: Promise<void>;
  readonly #config: pg.ClientConfig;
  readonly #owner: ConnectionOwner;
  readonly #client: pg.Client;
  #key: BackendKey | undefined;
  #isUsable = true;
  #warnings = 0;
  #closing: Promise<void> | undefined;

  constructor(config: pg.ClientConfig, owner: ConnectionOwner) {
    this.#config = config;
    this.#owner = owner;
    const client = new pg.Client({ ...config, pipeline: true });
    this.#client = client;
    // A connection that breaks while it is idle is noticed when it is to be used.
    client.on('error', () => {
      this.#isUsable = false;
    });
    client.on('notice', ({ code }) => {
      if (code?.startsWith(WARNING)) this.#warnings += 1;
    });
    client.connection.once('backendKeyData', (key: BackendKey) => {
      this.#key = key;
    });
    this.closed = new Promise((resolve) => {
      client.once('end', () => {
        this.#isUsable = false;
        resolve();
      });
    });
  }

  /** Whether statements can be sent. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * @param isPrimaryWanted whether a standby will not do
   * @throws pg.DatabaseError when the server refuses; ConnectionError `connect` when it cannot be reached, and `standby`
   */
  async open(isPrimaryWanted: boolean): Promise<void> {
    try {
      await this.#client.connect();
      if (!isPrimaryWanted) return;
      const { rows } = await this.execute({ text: 'select pg_is_in_recovery()' });
      if (rows[0]?.[0] === true) throw new ConnectionError('standby');
    } catch (error) {
      this.destroy();
      const isKnown = error instanceof pg.DatabaseError || error instanceof ConnectionError;
      throw isKnown ? error : new ConnectionError('connect', error);
    }
  }

  /**
   * Runs a statement, after those that were sent before. Several in one text are one message, without parameters.
   *
   * When the response does not come in time, the server is asked to cancel it, and the connection is closed, because a
   * late response would be taken for that of the next statement.
   *
   * @returns the result; of several statements none
   * @throws pg.DatabaseError when the server refuses it; ConnectionError `timeout` when no response came in time, and
   *   `statement` when the connection was lost
   */
  async execute({ name, ...statement }: Statement): Promise<Result> {
    const preparation = this.#owner.canPrepare && name !== undefined ? { name } : {};
    const { fields = [], rows = [] } = await this.#track(() =>
      this.#client.query<unknown[]>({ ...statement, ...preparation, rowMode: 'array' }),
    );
    return { columns: fields.map((field) => field.name), rows };
  }

  /** Commits, and waits until the transaction is as durable as it is set to be. */
  async commit(): Promise<void> {
    // A connection that was lost before has no commit under way: the server rolls back.
    if (!this.#isUsable) throw new ConnectionError('statement');
    await this.executeDurably('commit');
  }

  /**
   * Runs a statement that commits, and waits until what is written is as durable as it is set to be.
   *
   * @throws what `execute` does, and ConnectionError `commit` when it may have been committed
   */
  async executeDurably(text: string): Promise<Result> {
    const warnings = this.#warnings;
    try {
      const result = await this.execute({ text });
      // An operator has cancelled the wait for a synchronous standby: the standby may lack what was written.
      if (this.#warnings === warnings) return result;
    } catch (error) {
      // What ended the connection by an error has rolled the statement back.
      const isLost = error instanceof ConnectionError && error.phase === 'statement';
      throw isLost && !(error.cause instanceof pg.DatabaseError)
        ? new ConnectionError('commit', error)
        : error;
    }
    throw new ConnectionError('commit');
  }

  async rollback(): Promise<void> {
    // The server rolls back by itself what a lost connection has left.
    if (this.#isUsable) await this.execute({ text: 'rollback' });
  }

  [Symbol.dispose]() {
    this.#owner.release(this);
  }

  /** Closes the connection, when a statement is being cancelled on it only after that. */
  close(): Promise<void> {
    this.#closing ??= this.#end(CLOSE_TIMEOUT_MS);
    return this.#closing;
  }

  /** Closes the connection at once, whatever the server does. */
  destroy(): void {
    this.#isUsable = false;
    this.#client.connection.stream.destroy();
  }

  async #track<Response>(send: () => Promise<Response>): Promise<Response> {
    const owner = this.#owner;
    const sentAt = performance.now();
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => silence.reject(SILENCE), owner.statementTimeoutMs);
    try {
      const response = await Promise.race([send(), silence.promise]);
      owner.respondedAt = performance.now();
      return response;
    } catch (error) {
      if (error instanceof pg.DatabaseError && !CONNECTION_ENDED.test(error.code ?? '')) {
        owner.respondedAt = performance.now();
        // A pooler gives each transaction another session, and does not take prepared statements along.
        if (isOtherSession(error)) owner.canPrepare = false;
        throw error;
      }
      this.#isUsable = false;
      if (error !== SILENCE) throw new ConnectionError('statement', error);
      this.#closing ??= this.#cancel();
      if (owner.respondedAt < sentAt) owner.onSilence();
      throw new ConnectionError('timeout', error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Has the server cancel the statement that runs, however long it takes to reach it, and closes the connection. */
  async #cancel(): Promise<void> {
    const { host, port, connection } = this.#client;
    const { ssl, sslnegotiation } = this.#config;
    const tls = connection.stream instanceof TLSSocket ? (typeof ssl === 'object' ? ssl : {}) : undefined;
    while (!connection.stream.destroyed) {
      try {
        if (this.#key) await requestCancel({ host, port, tls, sslnegotiation }, this.#key, CANCEL_TIMEOUT_MS);
        return await this.#end(CANCELLED_CLOSE_TIMEOUT_MS);
      } catch {
        await sleep(CANCEL_INTERVAL_MS, undefined, { ref: false });
      }
    }
  }

  /** Ends this side of the connection, and waits until the server has ended its own. */
  async #end(timeoutMs: number): Promise<void> {
    this.#isUsable = false;
    this.#client.connection.end();
    const timer = setTimeout(() => this.destroy(), timeoutMs);
    await this.closed;
    clearTimeout(timer);
  }
}

/** Whether a prepared statement was not found as expected, which the server notices before it runs it. */
export const isOtherSession = (error: unknown) =>
  error instanceof pg.DatabaseError && OTHER_SESSION.test(error.code ?? '');
