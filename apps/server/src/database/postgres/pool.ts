import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import { checkServer } from './check-server.ts';
import { isResponse } from './errors.ts';

/** By default node-postgres returns an int64 as a string. */
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);

/** How often hosts are probed during an outage. */
const SEARCH_INTERVAL_MS = 250;

/** How often other hosts are probed while a primary is in use: one of them may be a newer primary. */
const WATCH_INTERVAL_MS = 3_000;

const END_TIMEOUT_MS = 1_000;

/**
 * A `pg.Pool` for several hosts, one of them the primary. It checks each new connection once. During an outage
 * `connect` fails at once unless a connection is idle, whereas `pg.Pool` lets every caller wait for the timeout.
 */
export class PrimaryPool extends pg.Pool {
  /** Becomes `false` once a pooler has shared a session: see `Lease.run`. */
  canPrepare = true;
  /** The time of the last response, in milliseconds of `performance.now()`. */
  respondedAt = 0;
  readonly #hosts: readonly pg.ClientConfig[];
  /** The host of new connections; `undefined` until the primary is found, and after a connection has failed. */
  #host: pg.ClientConfig | undefined;
  readonly #probes = new Map<pg.ClientConfig, Promise<ConnectionError | undefined>>();
  readonly #sockets = new Set<Socket>();
  /** The highest timeline of any server, as eight hexadecimal digits. Each failover starts a higher one. */
  #timeline = '';
  #outage: ConnectionError | undefined;
  readonly #timers: readonly NodeJS.Timeout[];

  /** @param hosts the configuration of each host: only `host` and `port` differ */
  constructor(hosts: readonly pg.ClientConfig[], options: pg.PoolConfig) {
    super({
      keepAlive: true,
      // A migration has no time limit, and its server may be lost. By default, Linux first probes after two hours. It
      // never probes while it repeats unacknowledged bytes: such a statement fails after about 15 minutes.
      keepAliveInitialDelayMillis: 30_000,
      ...hosts[0],
      ...options,
      stream: () => this.#createSocket(this.#outage),
      onConnect: (client) => this.#check(client, this.#host),
    });
    const forProbes = { query_timeout: options.connectionTimeoutMillis, stream: () => this.#createSocket() };
    this.#hosts = hosts.map((host) => ({ ...host, ...options, ...forProbes }));
    if (hosts.length === 1) this.#host = this.#hosts[0];
    this.#timers = [
      setInterval(() => this.#outage && this.#findPrimary(), SEARCH_INTERVAL_MS).unref(),
      // Not during an outage: when the search above fails, it closes all sockets, and would end probes of this one.
      setInterval(() => this.#outage || this.#findPrimary(), WATCH_INTERVAL_MS).unref(),
    ];
    // The pool removes a broken connection, idle or in use. Without listeners its error would end the process.
    this.on('error', () => {});
    this.on('connect', (client) => client.on('error', () => {}));
  }

  /** Whether each reachable primary has an older timeline than this process has seen. */
  get isBehind(): boolean {
    return this.#outage?.kind === 'behind';
  }

  /**
   * Takes a connection to the primary.
   * @throws ConnectionError when there is no primary; pg.DatabaseError when the server refuses the connection
   */
  override async connect(): Promise<pg.PoolClient> {
    if (this.ending) throw new ConnectionError('connect');
    if (!this.#host && !this.#outage && this.idleCount === 0) await this.#findPrimary();
    const host = this.#host;
    try {
      return await this.#take();
    } catch (error) {
      const isLost = error instanceof ConnectionError && error.kind !== 'busy';
      if (!isLost || this.#outage || this.ending) throw error;
    }
    if (this.#host === host) this.#host = undefined;
    if (!this.#host) await this.#findPrimary();
    // Another host is the primary, or the server closed only this connection.
    return this.#take();
  }

  /** Closes all connections. `connect` then fails at once until a host can be used again. */
  giveUp(outage: ConnectionError): void {
    this.#destroySockets();
    this.#host = undefined;
    this.#outage = outage;
  }

  /** Gives up the host in use if it is a standby now. A pooler keeps connections to such a host open. */
  async recheck(): Promise<void> {
    const host = this.#host;
    const failure = host && (await this.#probe(host));
    if (failure?.kind === 'standby' && host === this.#host) this.giveUp(failure);
  }

  /** A silent server delays this by a second at most. */
  override async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const closed = Array.from(this.#sockets, (socket) => once(socket, 'close'));
    const timeout = sleep(END_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([Promise.all([super.end(), ...closed]), timeout]).catch(() => {});
    this.#destroySockets();
  }

  /** @param outage destroys the new socket: `pg.Pool` still opens sockets for callers that it queued before the outage */
  #createSocket(outage?: ConnectionError): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (outage) process.nextTick(() => socket.destroy(outage));
    return socket;
  }

  /** TCP keeps a connection to a silent server for hours. */
  #destroySockets(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #take(): Promise<pg.PoolClient> {
    if (this.#outage && this.idleCount === 0) throw this.#outage;
    try {
      return await super.connect();
    } catch (error) {
      if (this.#outage) throw this.#outage;
      // `classify` knows a refused connection by its severity, which the server may translate.
      if (isResponse(error)) throw Object.assign(error, { severity: 'FATAL' });
      // All connections were in use until the timeout.
      const isFull = error instanceof Error && error.message === 'timeout exceeded when trying to connect';
      throw ConnectionError.from(error, isFull ? 'busy' : 'connect');
    }
  }

  /**
   * Checks that a connection leads to a primary that is up to date: an old primary that does not know of a failover
   * still responds. The pool changes to the connection's host if it uses none, or if the timeline there is newer.
   * @throws ConnectionError `standby` or `behind`; DatabaseFault
   */
  async #check(client: pg.ClientBase, host: pg.ClientConfig | undefined): Promise<undefined> {
    // Aurora tells no timeline.
    const timeline = (await checkServer(client)) ?? this.#timeline;
    if (timeline < this.#timeline) throw new ConnectionError('behind');
    const isNewer = this.#timeline !== '' && timeline > this.#timeline;
    this.#timeline = timeline;
    // Other connections may lead to the old primary, even at the same address: it would lose what they write.
    if (isNewer) this.#destroySockets();
    if (host === this.#host) {
      // A caller may wait for `client`, which is closed, too. In the branch below, it belongs to a probe that ends now.
      if (isNewer) throw new ConnectionError('connect');
    } else if (isNewer || !this.#host) {
      Object.assign(this.options, { host: host?.host, port: host?.port });
      this.#host = host;
      this.#outage = undefined;
    }
  }

  /** Probes all hosts that are not in use. Gives up when no host can be used. */
  async #findPrimary(): Promise<void> {
    const others = this.#hosts.filter((host) => host !== this.#host);
    const failures = await Promise.all(others.map((host) => this.#probe(host)));
    if (this.#host) return;
    // A server that responds gives a better reason than a server that does not.
    const outage =
      failures.find((failure) => failure?.kind === 'behind') ??
      failures.find((failure) => failure?.kind === 'standby') ??
      failures.find((failure) => failure !== undefined);
    if (!outage) return;
    this.#outage = outage;
    // No host is a primary. If a host did not respond, an open connection may still lead to it, and respond.
    if (!failures.some((failure) => failure?.kind === 'connect')) this.#destroySockets();
  }

  #probe(host: pg.ClientConfig): Promise<ConnectionError | undefined> {
    const running = this.#probes.get(host);
    if (running) return running;
    const client = new pg.Client(host).on('error', () => {});
    const probe = client
      .connect()
      .then(() => this.#check(client, host))
      .catch((error: unknown) => ConnectionError.from(error, 'connect'))
      .finally(() => {
        this.#probes.delete(host);
        void client.end();
      });
    this.#probes.set(host, probe);
    return probe;
  }
}
