import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { limits } from './limits.ts';
import type { OverloadLog } from './overload-log.ts';

/** All open connections. Limits the bytes that they hold together, and closes them gracefully when the service stops. */
export class Connections {
  readonly #overloadLog: OverloadLog;
  readonly #maxConnections: number;
  readonly #open = new Map<Duplex, Connection>();
  readonly idle = new Set<Connection>();
  /** Bytes of requests and responses in memory, of all connections together. */
  outstandingBytes = 0;
  #opened = 0;
  isReadingPaused = false;
  isStopping = false;

  constructor(overloadLog: OverloadLog, maxConnections: number) {
    this.#overloadLog = overloadLog;
    this.#maxConnections = maxConnections;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Takes a new connection. At the maximum, it closes the longest idle one, or the new one if none is idle. */
  open(socket: Socket): void {
    this.#opened += 1;
    if (this.#open.size >= this.#maxConnections) {
      const [longestIdle] = this.idle;
      this.#overloadLog.count('cut');
      if (longestIdle === undefined) {
        socket.destroy();
        return;
      }
      this.#close(longestIdle);
    }
    const connection = new Connection(socket, this);
    this.#open.set(socket, connection);
    this.idle.add(connection);
    socket.once('close', () => this.#close(connection));
  }

  findOpen(socket: Duplex): Connection | undefined {
    return this.#open.get(socket);
  }

  /**
   * Beyond the limit, cuts the connection with the most bytes. A response counts as a whole until it has left: a very
   * large one may be cut while its caller reads.
   */
  account(connection: Connection, bytes: number): void {
    this.outstandingBytes += bytes;
    connection.outstandingBytes += bytes;
    while (this.outstandingBytes > limits.outstandingBytes) {
      const largest = this.#findLargest();
      if (largest === undefined) return;
      this.#overloadLog.count('cut');
      this.#close(largest);
      this.#pauseReading();
    }
  }

  /** The search takes 0.1 ms for 10,000 connections. */
  #findLargest(): Connection | undefined {
    let [largest] = this.#open.values();
    for (const connection of this.#open.values()) {
      if (largest && connection.outstandingBytes > largest.outstandingBytes) largest = connection;
    }
    return largest;
  }

  /** Connections that were cut take memory until this turn of the event loop ends, so nothing is read until then. */
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
   * Stops a server in order: readiness ends, then the port is closed. A request on its way to an open connection still
   * gets a response, which is the last one of its connection. Then idle connections are closed.
   * @param options.graceMs how long new connections are still accepted, until load balancers have noticed
   */
  async stop(server: Server, { graceMs }: { graceMs: number }): Promise<void> {
    this.isStopping = true;
    if (graceMs > 0) await sleep(graceMs);
    await this.#acceptWaiting();
    const { promise, resolve } = Promise.withResolvers<void>();
    // `close` of an HTTP server would also cut idle connections at once.
    NetServer.prototype.close.call(server, () => resolve());
    // `setImmediate` lets the event loop first read requests that have arrived.
    const idleTimer = setInterval(() => setImmediate(() => this.#closeIdle(server)), limits.idleGraceMs);
    const cutTimer = setTimeout(() => server.closeAllConnections(), limits.shutdownMs);
    await promise;
    clearInterval(idleTimer);
    clearTimeout(cutTimer);
  }

  /** A closed port resets connections that wait in the kernel. libuv accepts one in each turn of the event loop. */
  async #acceptWaiting(): Promise<void> {
    const end = performance.now() + limits.acceptMs;
    // In the rest of the current turn, libuv may have no chance to accept a connection.
    await nextTurn();
    while (performance.now() < end) {
      const openedBefore = this.#opened;
      await nextTurn();
      if (this.#opened === openedBefore) return;
    }
  }

  #closeIdle(server: Server): void {
    server.closeIdleConnections();
    // To Node, a connection on which no byte has arrived yet is not idle.
    for (const { socket } of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }

  #close(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.idle.delete(connection);
    connection.dispose();
    connection.socket.destroy();
  }
}
