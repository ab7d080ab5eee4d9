import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';

/** While the server is away, how long after an attempt to reach it the next one is made. */
const ATTEMPT_INTERVAL_MS = 250;

/** Callers that may wait for a free connection, for each connection there is. */
const MAX_WAITING_PER_CONNECTION = 50;

/** It is shutting down, was ended or is starting: admin_shutdown, crash_shutdown, cannot_connect_now. */
const NOT_SERVING = /^57P0[123]$/;

/** What the driver says when all connections were at work for too long: no outage. */
const ALL_AT_WORK = 'timeout exceeded when trying to connect';

/**
 * The connections to a PostgreSQL server. Once it is known to be away, nobody waits for it: all who do are
 * told so at once, and so are those who come, until an attempt beside them finds it again. Old connections
 * do not outlive that: one that fell silent can look alive for hours.
 */
export class PostgresPool {
  readonly #config: pg.PoolConfig;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<(error: ConnectionError) => void>();
  #pool: pg.Pool;
  #epoch = 0;
  #isAway = false;
  #isEnded = false;

  constructor(config: pg.PoolConfig) {
    this.#config = { ...config, stream: () => this.#openSocket() };
    this.#pool = this.#openPool();
  }

  /** Ends with every connection, also one that nobody used: the next may lead to another server. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Takes a connection, to be released after use.
   *
   * @throws ConnectionError when there is none; pg.DatabaseError when the server refuses one
   */
  connect(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    const { waitingCount, options } = this.#pool;
    const isCrowded = waitingCount >= options.max * MAX_WAITING_PER_CONNECTION;
    if (this.#isAway || isCrowded) {
      reject(new ConnectionError(this.#isAway ? 'connect' : 'busy'));
      return promise;
    }
    this.#waiting.add(reject);
    this.#pool.connect().then(
      (client) => {
        if (this.#waiting.delete(reject)) resolve(client);
        else client.release(true);
      },
      (error: unknown) => {
        // Those whom an outage was told already must not tell of it when it is over.
        if (!this.#waiting.delete(reject)) return;
        const isBusy = error instanceof Error && error.message === ALL_AT_WORK;
        const phase = isBusy ? 'busy' : 'connect';
        reject(error instanceof pg.DatabaseError ? error : new ConnectionError(phase, error));
        if (!isBusy && !isServing(error)) this.lose();
      },
    );
    return promise;
  }

  /** Gives the server up, until it is found again. */
  lose(): void {
    if (this.#isAway || this.#isEnded) return;
    this.#isAway = true;
    for (const reject of this.#waiting) reject(new ConnectionError('connect'));
    this.#waiting.clear();
    this.#pool.end().catch(() => {});
    for (const socket of this.#sockets) socket.destroy();
    void this.#find();
  }

  /** Ends all connections, without waiting for a server that does not take leave. */
  async end(): Promise<void> {
    this.#isEnded = true;
    if (!this.#isAway) await this.#pool.end();
    for (const socket of this.#sockets) socket.unref();
  }

  async #find(): Promise<void> {
    while (!this.#isEnded && !(await this.#answers())) {
      await sleep(ATTEMPT_INTERVAL_MS, undefined, { ref: false });
    }
    this.#pool = this.#openPool();
    this.#isAway = false;
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client(this.#config);
    client.on('error', () => {});
    try {
      await client.connect();
      void client.end();
      return true;
    } catch (error) {
      return isServing(error);
    }
  }

  #openPool(): pg.Pool {
    const pool = new pg.Pool(this.#config);
    // A connection that breaks while nobody uses it leaves the pool by itself.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  #openSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#epoch += 1;
    });
    return socket;
  }
}

/** Whether an error is an answer of a server that serves. */
const isServing = (error: unknown) =>
  error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '');
