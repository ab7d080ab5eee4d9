import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { Connection, type Serve } from './connection.ts';
import type { OverloadLog } from './overload-log.ts';

/**
 * All open connections. It limits the outstanding bytes of the process, gives each connection a fair share, and closes
 * connections in order at a stop.
 */
export class Connections {
  readonly #overloadLog: OverloadLog;
  readonly #maxConnections: number;
  readonly #open = new Map<Duplex, Connection>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Connection>();
  readonly #held = new HeldMemory<Connection>();
  #opened = 0;
  isReadingPaused = false;
  isStopping = false;

  /** @param maxConnections open at a time; a further one replaces the one that was idle for longest */
  constructor(overloadLog: OverloadLog, maxConnections: number) {
    this.#overloadLog = overloadLog;
    this.#maxConnections = maxConnections;
  }

  get openCount(): number {
    return this.#open.size;
  }

  get idleCount(): number {
    return this.#idle.size;
  }

  get heldBytes(): number {
    return this.#held.bytes;
  }

  /** Takes up a new connection; with the maximum open, the one that was idle for longest makes room. */
  open(socket: Socket, serve: Serve): void {
    this.#opened += 1;
    if (this.#open.size >= this.#maxConnections) {
      const [longestIdle] = this.#idle;
      this.#overloadLog.count('cut');
      if (longestIdle === undefined) {
        socket.destroy();
        return;
      }
      this.#close(longestIdle);
    }
    const connection = new Connection(socket, this, serve);
    this.#open.set(socket, connection);
    this.#idle.add(connection);
    socket.once('close', () => this.#close(connection));
  }

  find(socket: Duplex): Connection | undefined {
    return this.#open.get(socket);
  }

  setIdle(connection: Connection, isIdle: boolean): void {
    if (isIdle) this.#idle.add(connection);
    else this.#idle.delete(connection);
  }

  /**
   * Accounts for memory that requests and responses take. Beyond the limit a connection that holds most is cut: a
   * caller that reads its responses holds little for long.
   */
  account(connection: Connection, bytes: number): void {
    this.#held.move(connection, { from: connection.heldBytes - bytes, to: connection.heldBytes });
    while (this.#held.bytes > limits.heldBytes) {
      const [oldest] = this.#open.values();
      const largest = this.#held.findLargest() ?? oldest;
      if (largest === undefined) return;
      this.#overloadLog.count('cut');
      this.#close(largest);
      this.#pauseReading();
    }
  }

  /**
   * Reads from no connection until the next turn of the event loop. Those that were cut take memory until the end of
   * this one, in which Node would read from all others.
   */
  #pauseReading(): void {
    if (this.isReadingPaused) return;
    this.isReadingPaused = true;
    for (const connection of this.#open.values()) connection.pauseOrResume();
    setImmediate(() => {
      this.isReadingPaused = false;
      for (const connection of this.#open.values()) connection.pauseOrResume();
    });
  }

  /**
   * Stops a server in order. Readiness ends first, then new connections are refused. Open connections are kept for
   * {@link limits.farewellMs}: a request on its way still gets a response, which tells the caller that it is the last.
   * Then idle connections are closed, and the others after their response, at the latest after {@link
   * limits.shutdownMs}.
   * @param graceMs how long new connections are still accepted, until load balancers have noticed
   */
  async stop(server: Server, graceMs: number): Promise<void> {
    this.isStopping = true;
    if (graceMs > 0) await sleep(graceMs);
    await this.#acceptWaiting();
    const { promise, resolve } = Promise.withResolvers<void>();
    // The method of HTTP servers would also cut idle connections at once.
    NetServer.prototype.close.call(server, () => resolve());
    // Right after the event loop has read what had arrived.
    const timer = setInterval(() => setImmediate(() => this.#closeIdle(server)), limits.farewellMs);
    const limit = setTimeout(() => server.closeAllConnections(), limits.shutdownMs);
    await promise;
    clearInterval(timer);
    clearTimeout(limit);
  }

  /**
   * Lets Node accept the connections that wait in the kernel, which would reset them when the server no longer listens.
   * libuv accepts one in each turn of the event loop.
   */
  async #acceptWaiting(): Promise<void> {
    const end = performance.now() + limits.acceptMs;
    let opened: number;
    await turn();
    do {
      opened = this.#opened;
      await turn();
    } while (this.#opened > opened && performance.now() < end);
  }

  #closeIdle(server: Server): void {
    server.closeIdleConnections();
    // Node does not count connections on which nothing was sent yet.
    for (const { socket } of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }

  #close(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#idle.delete(connection);
    connection.dispose();
    connection.socket.destroy();
  }
}

/** A caller that waits for each response holds less, and is not found. */
const SMALLEST_BYTES = 4 * 1024;

/**
 * Counts the memory of many holders. Holders are kept by powers of two, in the order in which they have reached theirs.
 * So a holder of most is found at once, however many there are, as in a flood.
 */
export class HeldMemory<Holder> {
  bytes = 0;
  readonly #byPower: Set<Holder>[] = [];

  move(holder: Holder, { from, to }: { from: number; to: number }): void {
    this.bytes += to - from;
    const power = powerOf(from);
    const newPower = powerOf(to);
    if (power === newPower) return;
    if (power > 0) this.#byPower[power]?.delete(holder);
    if (newPower === 0) return;
    this.#byPower[newPower] ??= new Set();
    this.#byPower[newPower].add(holder);
  }

  /** The first of those that hold most, to within a factor of two; `undefined` when all hold little. */
  findLargest(): Holder | undefined {
    for (const holders of this.#byPower.toReversed()) {
      for (const holder of holders ?? []) return holder;
    }
    return undefined;
  }
}

/** The power of two that a number of bytes has reached, in units of the smallest; 0 below it. */
const powerOf = (bytes: number) => 32 - Math.clz32(bytes / SMALLEST_BYTES);
