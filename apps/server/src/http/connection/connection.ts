import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../limits.ts';
import type { HttpError } from '../responses/http-error.ts';

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

/** What a connection shares with all others. */
interface ConnectionOwner {
  readonly isStopping: boolean;
  setIdle(connection: Connection, isIdle: boolean): void;
  /** Accounts for memory that requests and responses take, which the connection has counted already. */
  account(connection: Connection, bytes: number): void;
  /** Counts a request that was read. */
  countRequest(connection: Connection): void;
}

/**
 * One connection, whose requests are served one after another (RFC 9112, 9.3.2). The next one starts when
 * the response before it has left: a caller that pipelines requests and reads no responses has one of them
 * in memory, and the effects of one.
 */
export class Connection {
  readonly socket: Socket;
  /** A socket no longer tells it once it is closed. */
  readonly remoteAddress: string | undefined;
  readonly #connections: ConnectionOwner;
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
  #isNew = true;
  #isTrusted = false;
  #isHeldBack = false;

  constructor(socket: Socket, connections: ConnectionOwner, serve: Serve) {
    this.socket = socket;
    this.remoteAddress = socket.remoteAddress;
    this.#connections = connections;
    this.#serve = serve;
  }

  /** Bytes of requests and responses that the process holds for this connection. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Whether no request has arrived yet. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Whether its last request had a valid key, and its caller waits for responses. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Its caller has shown a valid key. */
  trust(): void {
    this.#isTrusted = true;
  }

  /** Reads nothing more until {@link readOn}. */
  holdBack(): void {
    this.#isHeldBack = true;
    this.#pauseOrResume();
  }

  readOn(): void {
    this.#isHeldBack = false;
    this.#pauseOrResume();
  }

  /** Starts a request, or lets it wait for those before it. */
  receive(req: IncomingMessage, res: ServerResponse): void {
    // Node goes on parsing what it has already read.
    if (this.#isClosing || this.socket.destroyed) return;
    this.#isNew = false;
    this.#connections.countRequest(this);
    if (this.#current === undefined) {
      this.#start({ req, res, heldBytes: 0 });
      return;
    }
    const heldBytes = estimateSize(req);
    this.#waiting.push({ req, res, heldBytes });
    if (this.#waiting.length === limits.pipelinedRequests) this.#isTrusted = false;
    // Node reads on after each request that it has parsed, so this is for when it has parsed what it has read.
    if (this.#isPaused()) process.nextTick(() => this.#pauseOrResume());
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
    if (this.#waiting.length === 0) this.#pauseOrResume();
    this.#start(next);
  }

  #isPaused(): boolean {
    return this.#isHeldBack || this.#waiting.length >= limits.pipelinedRequests;
  }

  #pauseOrResume(): void {
    if (this.#isClosing) return;
    if (this.#isPaused()) this.socket.pause();
    else this.socket.resume();
  }

  #account(bytes: number): void {
    if (this.#isDisposed) return;
    this.#heldBytes += bytes;
    this.#connections.account(this, bytes);
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
