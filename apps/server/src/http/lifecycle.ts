import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from './limits.ts';

/** An open connection. */
interface Connection {
  socket: Socket;
  /** The latest request, with its answer. */
  req?: IncomingMessage;
  res?: ServerResponse;
  /** Answers that the caller has not taken yet. */
  open: number;
}

/** Whether the process is on its way out, and what goes on on its connections. */
export class Lifecycle {
  #isStopping = false;
  readonly #connections = new Map<Duplex, Connection>();

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Follows a connection until it is closed. */
  trackConnection(socket: Socket): Connection {
    const connection: Connection = { socket, open: 0 };
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    return connection;
  }

  findConnection(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket);
  }

  /** Takes up a request; on the way out its answer is the last one on its connection. */
  track(req: IncomingMessage, res: ServerResponse): Connection {
    const connection = this.#connections.get(req.socket) ?? this.trackConnection(req.socket);
    if (this.#isStopping) {
      if (connection.res?.headersSent === false) connection.res.removeHeader('Connection');
      res.setHeader('Connection', 'close');
    }
    connection.req = req;
    connection.res = res;
    connection.open += 1;
    return connection;
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
    for (const { res } of this.#connections.values()) {
      if (res?.headersSent === false) res.setHeader('Connection', 'close');
    }
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
    // Node does not count those among them that have said nothing yet.
    for (const { socket } of this.#connections.values()) if (socket.bytesRead === 0) socket.destroy();
  }
}
