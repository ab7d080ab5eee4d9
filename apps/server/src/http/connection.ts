import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { HttpError } from './http-error.ts';
import { limits } from './limits.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The error for bytes that are no request to Node: `refuse` in server.ts sets it, `checkProtocol` throws it. */
    readonly refusal?: HttpError;
  }
}

interface ParsedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly start: () => void;
  outstandingBytes: number;
  /** Called when the rest of the body can never be read. `undefined` until a middleware reads the body. */
  failBody?: (error: HttpError) => void;
  /** Why the rest can never be read, for a middleware that reads the body later. */
  bodyError?: HttpError;
}

interface ConnectionOwner {
  readonly isStopping: boolean;
  readonly isReadingPaused: boolean;
  /** Connections without a request, the longest idle first. */
  readonly idle: Set<Connection>;
  /** Adds to `connection.outstandingBytes`, and to the bytes of all connections. */
  account(connection: Connection, bytes: number): void;
}

/**
 * A connection that serves its requests one after another (RFC 9112, 9.3.2). A caller that pipelines requests and reads
 * no responses therefore has one response in memory. A response before the end of its request's body is the last one.
 */
export class Connection {
  readonly socket: Socket;
  /** A copy, because `socket.remoteAddress` may be undefined once the connection is closed. */
  readonly remoteAddress: string | undefined;
  /** Bytes of this connection's requests and responses in memory. */
  outstandingBytes = 0;
  readonly #owner: ConnectionOwner;
  readonly #waiting: ParsedRequest[] = [];
  #current: ParsedRequest | undefined;
  /** Whether requests that arrive from now on are ignored. */
  #isClosing = false;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.socket = socket;
    this.remoteAddress = socket.remoteAddress;
    this.#owner = owner;
    // Node calls this method after a response with `Connection: close`. The caller may still send its body: see `end`.
    socket.destroySoon = () => {
      if (this.#current?.req.complete === false) this.end();
      else Socket.prototype.destroySoon.call(socket);
    };
  }

  get isBusy(): boolean {
    return this.#last !== undefined;
  }

  /** The request that Node has parsed last. Bytes of a body that arrive are its body. */
  get #last(): ParsedRequest | undefined {
    return this.#waiting.at(-1) ?? this.#current;
  }

  /**
   * Queues a request. It starts once Node has parsed the whole packet, so that `endsAfter` sees whether another one waits.
   * Nothing is read after a refusal. Refused bytes within the body of a request are an error of that body.
   */
  receive(req: IncomingMessage, res: ServerResponse, start: () => void): void {
    // Node goes on parsing bytes that it has already read.
    if (this.#isClosing || this.socket.destroyed) return;
    const last = this.#last;
    const { refusal } = req;
    if (refusal !== undefined) {
      this.#stopReading();
      if (last?.req.complete === false) {
        last.bodyError = refusal;
        last.failBody?.(refusal);
        return;
      }
    }
    // Only pipelined requests are counted: the number of connections limits all others.
    const outstandingBytes = last === undefined ? 0 : estimateSize(req);
    // The end of the previous request starts this one: OpenTelemetry would add this one to the previous one's trace.
    const startInContext = last === undefined ? start : AsyncResource.bind(start);
    this.#waiting.push({ req, res, start: startInContext, outstandingBytes });
    this.#owner.account(this, outstandingBytes);
    process.nextTick(() => {
      if (this.#current === undefined) this.#startNext();
      // Node resumes the socket after each request that it has parsed.
      this.pauseOrResume();
    });
  }

  /**
   * Lets the body of the current request come in: the socket is paused until then.
   * @param fail called when the rest of the body can never be read
   */
  resumeForBody(req: IncomingMessage, fail: (error: HttpError) => void): void {
    req.once('error', () => fail(new HttpError('malformed_request', 'The body ended too early.')));
    const request = this.#current;
    // The connection was cut.
    if (request === undefined) return;
    request.failBody = fail;
    if (request.bodyError) fail(request.bodyError);
    else this.pauseOrResume();
  }

  /** Counts memory that the current request takes until its response has left. */
  hold(bytes: number): void {
    this.#hold(this.#current, bytes);
  }

  /** Counts a chunk of a body once Node has parsed it, even if no middleware reads it. */
  holdChunk({ length }: Buffer): void {
    this.#hold(this.#last, length + CHUNK_OVERHEAD);
  }

  #hold(request: ParsedRequest | undefined, bytes: number): void {
    if (request === undefined) return;
    request.outstandingBytes += bytes;
    this.#owner.account(this, bytes);
  }

  /** Whether the connection ends after the response to its current request (RFC 9112, 9.6). */
  endsAfter({ complete, headers }: IncomingMessage): boolean {
    const isEnding = this.#isClosing || this.#owner.isStopping;
    // Node drops the requests in the packet of an upgrade. The caller would take later responses for theirs.
    return !complete || headers.upgrade !== undefined || (isEnding && this.#waiting.length === 0);
  }

  /** Ends the connection after its last response. The reset of a destroyed socket could overtake that response. */
  end(): void {
    this.#stopReading();
    this.socket.end();
    const timer = setTimeout(() => this.socket.destroy(), limits.lingerMs);
    this.socket.once('close', () => clearTimeout(timer));
  }

  /**
   * Reads nothing from now on, not even that the caller closes its side: Node would end the connection before the
   * responses are sent.
   */
  #stopReading(): void {
    this.#isClosing = true;
    // Node would resume the socket, to read and drop the rest of a body.
    this.socket.resume = () => this.socket;
    // Resuming takes effect in the next tick, so Node may have resumed the socket already.
    process.nextTick(() => this.socket.pause());
  }

  dispose(): void {
    this.#isClosing = true;
    this.#waiting.length = 0;
    this.#current = undefined;
    this.#owner.account(this, -this.outstandingBytes);
  }

  pauseOrResume(): void {
    if (this.#isClosing || this.socket.destroyed) return;
    const last = this.#last;
    const isBodyUnread = last?.req.complete === false && last.failBody === undefined;
    const isFull = this.#waiting.length >= limits.pipelinedRequests;
    if (isBodyUnread || isFull || this.#owner.isReadingPaused) this.socket.pause();
    else this.socket.resume();
  }

  #startNext(): void {
    const request = this.#waiting.shift();
    if (request === undefined) return;
    this.#current = request;
    this.#owner.idle.delete(this);
    request.res.once('close', () => this.#finish(request));
    request.start();
  }

  #finish({ outstandingBytes }: ParsedRequest): void {
    this.#current = undefined;
    if (this.socket.destroyed) return;
    this.#owner.account(this, -outstandingBytes);
    this.#owner.idle.add(this);
    // After "Connection: close" no request is served (RFC 9112, 9.6): its response could not be sent.
    if (!this.socket.writable) return;
    this.#startNext();
    this.pauseOrResume();
  }
}

/** Bytes of Node's objects for a request and its response, without the URL and the headers. */
const REQUEST_OVERHEAD = 4 * 1024;

/** Bytes of memory that a chunk takes besides its content. A body can come in chunks of one byte. */
const CHUNK_OVERHEAD = 400;

const estimateSize = ({ url = '', rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((size, { length }) => size + length, REQUEST_OVERHEAD + url.length);
