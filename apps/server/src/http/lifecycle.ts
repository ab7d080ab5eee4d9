import type { Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from './limits.ts';

/** Whether the process is on its way out, and the answers that are still to be given. */
export class Lifecycle {
  #isStopping = false;
  /** The latest answer of each connection that is not given yet. */
  readonly #latest = new Map<Socket, ServerResponse>();
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
    const { socket } = res.req;
    if (this.#isStopping) {
      const previous = this.#latest.get(socket);
      if (previous?.headersSent === false) previous.removeHeader('Connection');
      res.setHeader('Connection', 'close');
    }
    this.#latest.set(socket, res);
    res.once('close', () => {
      if (this.#latest.get(socket) === res) this.#latest.delete(socket);
    });
  }

  /**
   * Stops a server in order: readiness goes first, then new connections are refused. Open ones are kept
   * for {@link limits.farewellMs}: a request that is on its way already is answered, and told that it is
   * the last. Then those that are idle are closed, and the others after their answer. What hangs is cut
   * after {@link limits.shutdownMs}.
   *
   * @param graceMs how long new connections are still taken, so that a load balancer can look away
   */
  async stop(server: Server, graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const res of this.#latest.values()) if (!res.headersSent) res.setHeader('Connection', 'close');
    if (graceMs > 0) await sleep(graceMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    // An HTTP server would cut its idle connections here.
    Listener.prototype.close.call(server, () => resolve());
    // Right after the event loop has read what had arrived.
    const timer = setInterval(() => setImmediate(() => this.#closeIdle(server)), limits.farewellMs);
    const limit = setTimeout(() => server.closeAllConnections(), limits.shutdownMs);
    await promise;
    clearInterval(timer);
    clearTimeout(limit);
  }

  #closeIdle(server: Server): void {
    server.closeIdleConnections();
    for (const socket of this.#silent) socket.destroy();
  }
}
