import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { HttpError } from '../http-error.ts';
import { limits } from '../limits.ts';
import type { OverloadLog } from './overload-log.ts';

/** A request whose head Node has parsed. */
export interface ParsedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** What the request and its response take while they are outstanding, as far as it is accounted for. */
  heldBytes: number;
  /** Why the rest of its body can never be read. */
  bodyError?: HttpError;
  /** Called with {@link bodyError}; set by the reader of the body. */
  onBodyError?: (error: HttpError) => void;
}

/** Starts a request, and returns what is to be done when its response has left or will never do so. */
export type Serve = (request: ParsedRequest, connection: Connection) => () => void;

/**
 * One connection, whose requests are served one after another (RFC 9112, 9.3.2). The next one starts when
 * the response before it has left: a caller that pipelines requests and reads no responses has one of them
 * in memory, and the effects of one.
 */
export class Connection {
  readonly socket: Socket;
  /** A socket no longer tells it once it is closed. */
  readonly remoteAddress: string | undefined;
  readonly #connections: Connections;
  readonly #serve: Serve;
  readonly #waiting: ParsedRequest[] = [];
  #current: ParsedRequest | undefined;
  /** Its response has left, and the rest of its body is read and dropped. */
  #drained: IncomingMessage | undefined;
  /** Nothing that arrives from now on is served. */
  #isClosing = false;
  #isDisposed = false;
  #runAfterLast: (() => void) | undefined;
  #heldBytes = 0;

  constructor(socket: Socket, connections: Connections, serve: Serve) {
    this.socket = socket;
    this.remoteAddress = socket.remoteAddress;
    this.#connections = connections;
    this.#serve = serve;
  }

  /** Bytes of requests and responses that the process holds for this connection. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Starts a request, or lets it wait for those before it. */
  receive(req: IncomingMessage, res: ServerResponse): void {
    // Node goes on parsing what it has already read.
    if (this.#isClosing || this.socket.destroyed) return;
    if (this.#current === undefined) {
      this.#start({ req, res, heldBytes: 0 });
      return;
    }
    const heldBytes = estimateSize(req);
    this.#waiting.push({ req, res, heldBytes });
    if (this.#waiting.length >= limits.pipelinedRequests) this.socket.pause();
    this.#account(heldBytes);
  }

  /** Accounts for memory that the present request takes until its response has left. */
  hold(bytes: number): void {
    if (this.#current === undefined) return;
    this.#current.heldBytes += bytes;
    this.#account(bytes);
  }

  /** Whether the connection ends with the response to the present request. */
  isLastResponse(): boolean {
    const isLast = this.#waiting.length === 0 && this.#runAfterLast === undefined;
    return isLast && (this.#isClosing || this.#connections.isStopping);
  }

  /**
   * Ends what arrives with an error that Node has found in it: the error becomes the response to the
   * request whose body is broken, or, where no request could be parsed, one more response.
   *
   * @param sendRaw sends the error on the socket itself
   */
  fail(error: HttpError, sendRaw: () => void): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const last = this.#waiting.at(-1) ?? this.#current;
    if (last?.req.complete === false) {
      last.bodyError = error;
      last.onBodyError?.(error);
    } else if (last !== undefined) this.#runAfterLast = sendRaw;
    else if (this.#drained !== undefined) this.socket.destroy();
    else sendRaw();
  }

  /** The socket is closed. */
  dispose(): void {
    this.#isClosing = true;
    this.#waiting.length = 0;
    this.#account(-this.#heldBytes);
    this.#isDisposed = true;
  }

  #start(request: ParsedRequest): void {
    this.#current = request;
    this.#connections.setIdle(this, false);
    const end = this.#serve(request, this);
    request.res.on('close', () => {
      end();
      this.#finish(request);
    });
  }

  #finish({ req, heldBytes }: ParsedRequest): void {
    this.#current = undefined;
    if (this.socket.destroyed) return;
    this.#account(-heldBytes);
    if (!req.complete) this.#drain(req);
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#connections.setIdle(this, true);
      this.#runAfterLast?.();
      return;
    }
    if (this.#waiting.length === 0 && !this.#isClosing) this.socket.resume();
    this.#start(next);
  }

  #account(bytes: number): void {
    if (this.#isDisposed) return;
    this.#heldBytes += bytes;
    this.#connections.account(bytes);
  }

  /** A caller that still sends a body, which is dropped, gets time to read its response. */
  #drain(req: IncomingMessage): void {
    this.#drained = req;
    req.resume();
    const timer = setTimeout(() => this.socket.destroy(), limits.lingerMs);
    req.once('close', () => {
      clearTimeout(timer);
      this.#drained = undefined;
    });
  }
}

/** What Node's objects for a request and its response take beside the headers. */
const REQUEST_OVERHEAD = 4 * 1024;

const estimateSize = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((size, { length }) => size + length, REQUEST_OVERHEAD);

/**
 * All open connections: what is outstanding on them is bounded for the whole process, each connection has
 * a fair share of it, and a stop ends them in order.
 */
export class Connections {
  readonly #overloadLog: OverloadLog;
  readonly #maxConnections: number;
  readonly #open = new Map<Duplex, Connection>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Connection>();
  #heldBytes = 0;
  /** Connections so far. */
  #opened = 0;
  #isStopping = false;

  /** @param limits.maxConnections open at a time; a further one replaces the one that was idle for longest */
  constructor(overloadLog: OverloadLog, limits: { maxConnections: number }) {
    this.#overloadLog = overloadLog;
    this.#maxConnections = limits.maxConnections;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Open connections without a request. */
  get idleCount(): number {
    return this.#idle.size;
  }

  /** Bytes that are accounted for on all connections together. */
  get heldBytes(): number {
    return this.#heldBytes;
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
   * Accounts for memory that requests and responses take. Beyond the limit the connection that holds most
   * is cut, and of equals the oldest: a caller that reads its responses holds little for long.
   */
  account(bytes: number): void {
    this.#heldBytes += bytes;
    while (this.#heldBytes > limits.heldBytes) {
      const [first, ...others] = this.#open.values();
      if (first === undefined) return;
      let largest = first;
      for (const other of others) if (other.heldBytes > largest.heldBytes) largest = other;
      this.#overloadLog.count('cut');
      this.#close(largest);
    }
  }

  /**
   * Stops a server in order. Readiness ends first, then new connections are refused. Open ones are kept for
   * {@link limits.farewellMs}, so that a request that is on its way gets its response, which tells the
   * caller that it is the last. Then idle connections are closed, and the others after their response, at
   * the latest after {@link limits.shutdownMs}.
   *
   * @param graceMs how long new connections are still accepted, until load balancers have noticed
   */
  async stop(server: Server, graceMs: number): Promise<void> {
    this.#isStopping = true;
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
   * Lets Node accept the connections that wait in the kernel, which would reset them when the server no longer
   * listens. libuv accepts one in each turn of the event loop, between one `setImmediate` and the next.
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
