import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { ConnectionPool } from '../database.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import { checkPrimary, findPrimary, isServing } from './primary.ts';

/** While the server is away, how long after an attempt to reach it the next one is made. */
const ATTEMPT_INTERVAL_MS = 250;

/** Callers that may wait for a free connection, for each connection of the pool. */
const MAX_WAITING_PER_CONNECTION = 50;

/** How long the end of the pool may take. */
const END_TIMEOUT_MS = 1_000;

/** How much longer than the server's own limit the response to a statement is waited for. */
const RESPONSE_GRACE_MS = 500;

interface PoolLimits {
  /** Connections at the most. */
  size: number;
  /** How long making a connection, or waiting for a free one, may take. */
  connectTimeoutMs: number;
  /** How long a connection that is not used is kept. */
  idleTimeoutMs: number;
  /** How long a statement may take. */
  statementTimeoutMs: number;
}

/**
 * `pg.Pool` with what it lacks: several hosts, of which the primary is found; one check of each new connection; and an
 * error at once while the server is known to be away, where each caller would wait for the time limit.
 */
export class PostgresPool implements ConnectionOwner, ConnectionPool {
  canPrepare = true;
  respondedAt = 0;
  readonly statementTimeoutMs: number;
  readonly size: number;
  readonly #hosts: readonly pg.ClientConfig[];
  readonly #pool: pg.Pool;
  readonly #idle = new Set<pg.PoolClient>();
  readonly #clients = new Set<pg.Client>();
  /** The host that connections lead to now. */
  #host: pg.ClientConfig;
  /** The highest timeline that a server has told: a higher one follows after each failover. */
  #timeline = '';
  /** Why there is no server to use, as it was found last. */
  #outage: ConnectionError | undefined;
  /** Tell callers who wait for a connection that the server is away. */
  readonly #waiting = new Set<(outage: ConnectionError) => void>();
  #finding: Promise<void> | undefined;
  #isEnded = false;
  #ending: Promise<void> | undefined;

  /** @param hosts how to reach each of them */
  constructor(hosts: readonly [pg.ClientConfig, ...pg.ClientConfig[]], limits: PoolLimits) {
    const { size, connectTimeoutMs, idleTimeoutMs, statementTimeoutMs } = limits;
    this.size = size;
    this.statementTimeoutMs = statementTimeoutMs;
    const timeouts = {
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + RESPONSE_GRACE_MS,
    };
    this.#hosts = hosts.map((host) => ({ ...host, ...timeouts }));
    this.#host = { ...hosts[0], ...timeouts };
    const currentHost = () => this.#host;
    const track = (client: pg.Client) => this.#track(client);
    this.#pool = new pg.Pool({
      max: size,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      // `pg.Pool` knows one host, and creates its clients by `new`.
      Client: class extends pg.Client {
        constructor() {
          super(currentHost());
          track(this);
        }
      },
      onConnect: (client) => this.#checkNew(client),
    });
    // A connection that breaks while it is idle is removed, and would end the process if nothing listened.
    this.#pool.on('error', () => {});
    this.#pool.on('acquire', (client) => this.#idle.delete(client));
    this.#pool.on('release', (_error, client) => this.#idle.add(client));
    this.#pool.on('remove', (client) => this.#idle.delete(client));
  }

  get used(): number {
    return this.#pool.totalCount - this.#pool.idleCount;
  }

  get idle(): number {
    return this.#pool.idleCount;
  }

  get waiting(): number {
    return this.#pool.waitingCount;
  }

  /** Whether the servers that can be reached have an older history than this process has seen. */
  get isBehind(): boolean {
    return this.#outage?.phase === 'behind';
  }

  /**
   * Runs work on a connection.
   *
   * @throws ConnectionError when there is none; pg.DatabaseError when the server refuses one; what the work throws
   */
  async use<Outcome>(work: (connection: Connection) => Promise<Outcome>): Promise<Outcome> {
    const client = await this.#acquire();
    const connection = new Connection(client, this);
    try {
      return await work(connection);
    } catch (error) {
      // Behind a proxy or a pooler, the connection may lead to a server that is no longer the primary.
      if (isReadOnly(error)) {
        connection.isBroken = true;
        this.onSilence();
      }
      throw error;
    } finally {
      client.release(connection.isBroken);
    }
  }

  /** Gives the server up, until it, or another of the hosts, can be used. Statements that run have their own time limit. */
  onSilence(): void {
    if (!this.#isEnded && this.#outage === undefined) this.#leave(new ConnectionError('connect'));
  }

  /** @throws ConnectionError when no host can be used; pg.DatabaseError when the server refuses connections */
  async assertReachable(): Promise<void> {
    await this.#findServer();
    // A server or pooler that responds may still refuse connections: PgBouncer does for a setting that it does not know.
    const client = await this.#connect();
    client.release();
  }

  /** Closes all connections, without waiting long for a server that is silent. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#isEnded = true;
    this.#rejectWaiting(new ConnectionError('connect'));
    await Promise.race([this.#pool.end(), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    for (const client of this.#clients) client.connection.stream.destroy();
  }

  async #acquire(): Promise<pg.PoolClient> {
    if (this.#isEnded) throw new ConnectionError('connect');
    if (this.#outage !== undefined) throw this.#outage;
    if (this.#pool.waitingCount >= this.size * MAX_WAITING_PER_CONNECTION) throw new ConnectionError('busy');
    try {
      return await this.#connect();
    } catch (error) {
      const isKnown =
        error instanceof ConnectionError && (error.phase === 'busy' || error.phase === 'connect');
      if (isKnown || isServing(error) || this.#isEnded) throw error;
      // A connection that was closed while it was opened says nothing of the server, and another host may be the primary.
      await this.#findServer();
      return this.#connect();
    }
  }

  #connect(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    this.#waiting.add(reject);
    this.#pool
      .connect()
      .then(
        // A caller that was told that the server is away has gone on without the connection.
        (client) => (this.#waiting.has(reject) ? resolve(client) : client.release()),
        (error: unknown) => reject(isFull(error) ? new ConnectionError('busy', error) : error),
      )
      .finally(() => this.#waiting.delete(reject));
    return promise;
  }

  #rejectWaiting(outage: ConnectionError): void {
    for (const reject of this.#waiting) reject(outage);
    this.#waiting.clear();
  }

  /** @throws ConnectionError `standby` or `behind` */
  async #checkNew(client: pg.ClientBase): Promise<void> {
    const timeline = await checkPrimary(client);
    if (timeline !== undefined && timeline < this.#timeline) throw new ConnectionError('behind');
    this.#timeline = timeline ?? this.#timeline;
  }

  #track(client: pg.Client): void {
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    // `pg.Pool` listens only while a client is idle: one that breaks in use would end the process.
    client.on('error', () => {});
  }

  #leave(outage: ConnectionError): void {
    this.#outage = outage;
    this.#rejectWaiting(outage);
    // A connection to a server that fell silent can look alive for hours.
    for (const client of this.#idle) client.connection.stream.destroy();
    void this.#findAgain();
  }

  async #findAgain(): Promise<void> {
    while (!this.#isEnded && this.#outage !== undefined) {
      await sleep(ATTEMPT_INTERVAL_MS, undefined, { ref: false });
      await this.#findServer().catch(() => {});
    }
  }

  /** Callers share one look at the hosts. While none can be used, they get an error at once. */
  #findServer(): Promise<void> {
    this.#finding ??= this.#find().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #find(): Promise<void> {
    try {
      this.#host = await findPrimary(
        this.#hosts,
        (client) => this.#checkNew(client),
        (client) => this.#track(client),
      );
      this.#outage = undefined;
    } catch (error) {
      const outage = error instanceof ConnectionError ? error : new ConnectionError('connect', error);
      if (this.#outage === undefined) this.#leave(outage);
      else this.#outage = outage;
      throw outage;
    }
  }
}

/** How `pg.Pool` tells that all connections were in use for as long as a caller may wait. */
const isFull = (error: unknown) =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/** read_only_sql_transaction */
const isReadOnly = (error: unknown) => error instanceof pg.DatabaseError && error.code === '25006';
