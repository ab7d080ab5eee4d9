import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConnectionError } from '../../connection-error.ts';
import type { ConnectionPool } from '../../database.ts';
import { Connection, type ConnectionOwner } from './connection.ts';

/** While the server is away, how long after an attempt to reach it the next one is made. */
const ATTEMPT_INTERVAL_MS = 250;

/** Callers that may wait for a free connection, for each connection of the pool. */
const MAX_WAITING_PER_CONNECTION = 50;

/** How long the end of the pool may take. */
const END_TIMEOUT_MS = 1_000;

/** It is shutting down, was ended or is starting: admin_shutdown, crash_shutdown, cannot_connect_now. */
const NOT_SERVING = /^57P0[123]$/;

interface PoolLimits {
  /** Connections at the most. */
  size: number;
  /** How long a caller may wait for a free connection. */
  waitTimeoutMs: number;
  /** How long a connection that is not used is kept. */
  idleTimeoutMs: number;
  /** How long the response to a statement may take. */
  statementTimeoutMs: number;
  /** Whether a connection must lead to the primary among the hosts. */
  isPrimaryWanted: boolean;
}

interface Idle {
  connection: Connection;
  timer: NodeJS.Timeout;
}

interface Waiting {
  resolve: (connection: Connection) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
}

/**
 * The connections to a PostgreSQL server. A connection counts until the server has closed it, also when it
 * was given up: `pg.Pool` replaces it at once, so that statements that hang on the server add up there.
 *
 * Once the server is known to be away, waiting callers and new ones get an error at once, until a connection can
 * be made again.
 */
export class PostgresPool implements ConnectionOwner, ConnectionPool {
  canPrepare = true;
  respondedAt = 0;
  /** One for each host: the one that was reached last comes first. */
  #configs: readonly pg.ClientConfig[];
  readonly #limits: PoolLimits;
  readonly #connections = new Set<Connection>();
  /** The one that was used last comes last, and is used first: those not needed become idle for long. */
  readonly #idle: Idle[] = [];
  readonly #waiting = new Set<Waiting>();
  #opening = 0;
  #isAway = false;
  #isEnded = false;

  /** @param configs one for each host */
  constructor(configs: readonly pg.ClientConfig[], limits: PoolLimits) {
    this.#configs = configs;
    this.#limits = limits;
  }

  get statementTimeoutMs(): number {
    return this.#limits.statementTimeoutMs;
  }

  get size(): number {
    return this.#limits.size;
  }

  get used(): number {
    return this.#connections.size - this.#idle.length;
  }

  get idle(): number {
    return this.#idle.length;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a connection, to be released after use.
   *
   * @throws ConnectionError when there is none; pg.DatabaseError when the server refuses one
   */
  async acquire(): Promise<Connection> {
    if (this.#isAway || this.#isEnded) throw new ConnectionError('connect');
    const idle = this.#takeIdle();
    if (idle) return idle;
    const { size, waitTimeoutMs } = this.#limits;
    if (this.#waiting.size >= size * MAX_WAITING_PER_CONNECTION) throw new ConnectionError('busy');
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting);
      reject(new ConnectionError(this.#opening > 0 ? 'connect' : 'busy'));
    }, waitTimeoutMs);
    const waiting = { resolve, reject, timer };
    this.#waiting.add(waiting);
    this.#grow();
    return promise;
  }

  release(connection: Connection): void {
    if (!connection.isUsable) {
      void connection.close();
      return;
    }
    const next = this.#takeWaiting();
    if (next) next.resolve(connection);
    else this.#keep(connection);
  }

  /**
   * Gives the server up, until it, or another of the hosts, can be used. Statements that run have their own time limit.
   */
  onSilence(): void {
    if (this.#isAway || this.#isEnded) return;
    this.#isAway = true;
    this.#rejectWaiting();
    // A connection to a server that fell silent can look alive for hours.
    for (let idle = this.#takeIdle(); idle; idle = this.#takeIdle()) void idle.close();
    void this.#find();
  }

  /** Closes all connections, without waiting long for a server that is silent. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#rejectWaiting();
    const connections = [...this.#connections];
    const closing = connections.map((connection) => connection.close());
    await Promise.race([Promise.all(closing), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    for (const connection of connections) connection.destroy();
  }

  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.connection.isUsable) return idle.connection;
    }
    return undefined;
  }

  #keep(connection: Connection): void {
    const timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(idle), 1);
      void connection.close();
    }, this.#limits.idleTimeoutMs).unref();
    const idle = { connection, timer };
    this.#idle.push(idle);
  }

  #takeWaiting(): Waiting | undefined {
    const [next] = this.#waiting;
    if (next === undefined) return undefined;
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    return next;
  }

  #rejectWaiting(): void {
    for (let next = this.#takeWaiting(); next; next = this.#takeWaiting()) {
      next.reject(new ConnectionError('connect'));
    }
  }

  /** Opens a connection when one is waited for and there may be one more. */
  #grow(): void {
    const isWanted = this.#waiting.size > this.#opening;
    if (!isWanted || this.#isAway || this.#isEnded || this.#connections.size >= this.#limits.size) return;
    this.#open().then(
      (connection) => this.release(connection),
      async (error: unknown) => {
        // A connection that was closed while it was opened says nothing of the server: another attempt does.
        if (isServing(error) || !(await this.#isReachable())) {
          this.#takeWaiting()?.reject(error);
          if (!isServing(error)) this.onSilence();
        }
        this.#grow();
      },
    );
  }

  /** Opens a connection to the first host that can be used. */
  async #open(): Promise<Connection> {
    this.#opening += 1;
    try {
      let failure: unknown;
      for (const config of this.#configs) {
        try {
          const connection = await this.#openOn(config);
          this.#configs = [config, ...this.#configs.filter((other) => other !== config)];
          return connection;
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    } finally {
      this.#opening -= 1;
    }
  }

  async #openOn(config: pg.ClientConfig): Promise<Connection> {
    const connection = new Connection(config, this);
    this.#connections.add(connection);
    void connection.closed.then(() => {
      this.#connections.delete(connection);
      this.#grow();
    });
    try {
      await connection.open(this.#limits.isPrimaryWanted);
      return connection;
    } catch (error) {
      await connection.closed;
      throw error;
    }
  }

  async #find(): Promise<void> {
    while (!this.#isEnded && !(await this.#isReachable())) {
      await sleep(ATTEMPT_INTERVAL_MS, undefined, { ref: false });
    }
    this.#isAway = false;
  }

  async #isReachable(): Promise<boolean> {
    if (this.#isEnded || this.#connections.size >= this.#limits.size) return false;
    try {
      this.release(await this.#open());
      return true;
    } catch (error) {
      return isServing(error);
    }
  }
}

/** Whether an error is the response of a server that serves. */
const isServing = (error: unknown) =>
  error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '');
