import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConnectionError } from '../connection-error.ts';
import type { ConnectionPool } from '../database.ts';
import { checkServer } from './check-server.ts';
import { isResponse } from './errors.ts';

pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);

/** How long after a failed attempt to reach a server the next one is made. */
const ATTEMPT_INTERVAL_MS = 250;

/** How long the end of the pool may take. */
const END_TIMEOUT_MS = 1_000;

/**
 * `pg.Pool` with what it lacks: several hosts, of which one leads to the primary; one check of each new connection; and
 * an error at once while no server can be used, where each caller would wait for the time limit.
 */
export class PrimaryPool extends pg.Pool implements ConnectionPool {
  /** Whether statements are prepared. */
  canPrepare = true;
  /** When a server last responded to a statement, on the clock of `performance`. */
  respondedAt = 0;
  /** New connections lead to the first one. */
  readonly #hosts: Pick<pg.ClientConfig, 'host' | 'port'>[];
  readonly #sockets = new Set<Socket>();
  /** The highest timeline that a server has told: a higher one follows after each failover. */
  #timeline = '';
  /** Why no server can be used, by the last attempt. */
  #outage: ConnectionError | undefined;
  /** Whether `#recover` is trying to reach a server. */
  #isTrying = false;

  /** @param hosts how to reach each of them: they differ in host and port */
  constructor(hosts: readonly pg.ClientConfig[], options: pg.PoolConfig) {
    super({
      keepAlive: true,
      ...hosts[0],
      ...options,
      stream: () => this.#createSocket(),
      onConnect: (client) => this.#check(client),
    });
    this.#hosts = hosts.map(({ host, port }) => ({ host, port }));
    // A connection that breaks is removed, and would end the process if nothing listened, be it idle or in use.
    this.on('error', () => {});
    this.on('connect', (client) => client.on('error', () => {}));
  }

  /** Whether the servers that can be reached have an older history than this process has seen. */
  get isBehind(): boolean {
    return this.#outage?.phase === 'behind';
  }

  /**
   * Takes a connection to the primary.
   *
   * @throws ConnectionError when there is none; pg.DatabaseError when the server refuses one
   */
  override async connect(): Promise<pg.PoolClient> {
    if (this.ending) throw new ConnectionError('connect');
    if (this.#outage) throw this.#outage;
    return this.#tryHosts();
  }

  /** Closes all connections, and lets `connect` fail at once until a server can be used again. */
  giveUp(outage: ConnectionError): void {
    if (!this.#outage) void this.#recover();
    this.#outage = outage;
    // A connection to a server that fell silent can look alive for hours.
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Closes all connections, without waiting long for a server that is silent. */
  override async end(): Promise<void> {
    const closed = Array.from(this.#sockets, (socket) => once(socket, 'close'));
    const timeout = sleep(END_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([Promise.all([super.end(), ...closed]), timeout]).catch(() => {});
    for (const socket of this.#sockets) socket.destroy();
  }

  #createSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // The caller of this connection has waited for a free one since before the outage.
    if (this.#outage && !this.#isTrying) process.nextTick(() => socket.destroy(this.#outage));
    return socket;
  }

  /** @throws ConnectionError `standby` or `behind`; DatabaseFault */
  async #check(client: pg.ClientBase): Promise<void> {
    const timeline = (await checkServer(client)) ?? this.#timeline;
    if (timeline < this.#timeline) throw new ConnectionError('behind');
    this.#timeline = timeline;
    this.#outage = undefined;
  }

  /** Takes a connection to the first host that leads to the primary. */
  async #tryHosts(): Promise<pg.PoolClient> {
    let outage = new ConnectionError('connect');
    // One time more than there are hosts: a connection that was closed while it was opened says nothing of the server.
    for (let attempt = 0; attempt <= this.#hosts.length; attempt += 1) {
      const [host] = this.#hosts;
      try {
        return await super.connect();
      } catch (error) {
        // All connections were in use for as long as a caller may wait.
        const isFull = error instanceof Error && error.message === 'timeout exceeded when trying to connect';
        if (isFull) throw new ConnectionError('busy', error);
        if (isResponse(error)) this.#outage = undefined;
        if (isResponse(error) || error === this.#outage) throw error;
        const failure = error instanceof ConnectionError ? error : new ConnectionError('connect', error);
        // The reason of a host that responds says more, and an older history most.
        if (outage.phase === 'connect' || failure.phase === 'behind') outage = failure;
        // Another caller may have gone on to the next host meanwhile.
        if (this.#hosts[0] === host) this.#hosts.push(...this.#hosts.splice(0, 1));
        Object.assign(this.options, this.#hosts[0]);
      }
    }
    this.giveUp(outage);
    throw outage;
  }

  /** Finds out whether a server can be used again, one attempt at a time. */
  async #recover(): Promise<void> {
    do {
      await sleep(ATTEMPT_INTERVAL_MS, undefined, { ref: false });
      this.#isTrying = true;
      const client = await this.#tryHosts().catch(() => undefined);
      client?.release();
      this.#isTrying = false;
    } while (this.#outage && !this.ending);
  }
}
