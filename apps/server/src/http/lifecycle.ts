import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from './limits.ts';

/** Whether the process is on its way out, and the answers that are still to be given. */
export class Lifecycle {
  #isStopping = false;
  readonly #open = new Set<ServerResponse>();
  readonly #silent = new Set<Socket>();

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Follows a connection until it says something: Node does not count it among the idle ones before. */
  trackConnection(socket: Socket): void {
    this.#silent.add(socket);
    const forget = () => this.#silent.delete(socket);
    socket.once('data', forget);
    socket.once('close', forget);
  }

  /** Follows an answer until it is given; on the way out it is the last one on its connection. */
  track(res: ServerResponse): void {
    this.#open.add(res);
    res.once('close', () => this.#open.delete(res));
    if (this.#isStopping) res.setHeader('Connection', 'close');
  }

  /**
   * Stops a server in order: readiness goes first, then new connections are refused and idle ones
   * closed, requests in flight are answered. What hangs is cut after {@link limits.shutdownMs}.
   *
   * @param graceMs how long new connections are still taken, so that a load balancer can look away
   */
  async stop(server: Server, graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const res of this.#open) if (!res.headersSent) res.setHeader('Connection', 'close');
    await sleep(graceMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    for (const socket of this.#silent) socket.destroy();
    const timer = setTimeout(() => server.closeAllConnections(), limits.shutdownMs);
    await promise;
    clearTimeout(timer);
  }
}
