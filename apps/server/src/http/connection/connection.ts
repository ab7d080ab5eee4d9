import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { HttpError } from '../http-error.ts';
import { limits } from '../limits.ts';

interface ParsedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Memory of the request and its response, as far as it is accounted for. */
  heldBytes: number;
  /** Why the rest of its body can never be read. */
  bodyError?: HttpError;
}

export type Serve = (req: IncomingMessage, res: ServerResponse) => void;

/** The part that all connections share. */
interface ConnectionOwner {
  readonly isStopping: boolean;
  readonly isReadingPaused: boolean;
  setIdle(connection: Connection, isIdle: boolean): void;
  /** Accounts for memory that requests and responses take, which the connection has counted already. */
  account(connection: Connection, bytes: number): void;
}

/**
 * One connection, whose requests are served one after another (RFC 9112, 9.3.2). The next one starts when the response
 * before it has left. A caller that pipelines requests and reads no responses therefore has one of them in memory. A
 * body that no step reads is never read: the connection then ends with the response.
 */
export class Connection {
  readonly socket: Socket;
  /** A socket no longer tells it once it is closed. */
  readonly remoteAddress: string | undefined;
  /** Bytes of requests and responses that the process holds for this connection. */
  heldBytes = 0;
  readonly #owner: ConnectionOwner;
  readonly #serve: Serve;
  readonly #waiting: ParsedRequest[] = [];
  #current: ParsedRequest | undefined;
  /** Nothing that arrives from now on is served. */
  #isClosing = false;
  #isBodyWanted = false;
  /** Takes the error that Node finds in the body that is being read. */
  #failBody: ((error: HttpError) => void) | undefined;
  /** Sends the error of bytes that are no request, as one more response. */
  #runAfterLast: (() => void) | undefined;

  constructor(socket: Socket, owner: ConnectionOwner, serve: Serve) {
    this.socket = socket;
    this.remoteAddress = socket.remoteAddress;
    this.#owner = owner;
    this.#serve = serve;
    // Node calls it after a response with `Connection: close`.
    socket.destroySoon = () => {
      if (this.#current?.req.complete === false) this.end();
      else Socket.prototype.destroySoon.call(socket);
    };
  }

  /** Starts a request, or lets it wait for those before it. */
  receive(req: IncomingMessage, res: ServerResponse): void {
    // Node goes on parsing what it has already read.
    if (this.#isClosing || this.socket.destroyed) return;
    if (this.#current === undefined) {
      this.#start({ req, res, heldBytes: 0 });
    } else {
      const heldBytes = estimateSize(req);
      this.#waiting.push({ req, res, heldBytes });
      this.#account(heldBytes);
    }
    // Node reads on after each request that it has parsed, so this is for when it has parsed what it has read.
    process.nextTick(() => this.pauseOrResume());
  }

  /**
   * Reads the body of the present request.
   * @param fail called with what is wrong when the rest of it can never be read
   */
  readBody(req: IncomingMessage, fail: (error: HttpError) => void): void {
    this.#isBodyWanted = true;
    this.#failBody = fail;
    req.once('error', () => fail(new HttpError('malformed_request', 'The body ended too early.')));
    if (this.#current?.bodyError) fail(this.#current.bodyError);
    else this.pauseOrResume();
  }

  /** Accounts for memory that the present request takes until its response has left. */
  hold(bytes: number): void {
    if (this.#current === undefined) return;
    this.#current.heldBytes += bytes;
    this.#account(bytes);
  }

  /** Whether the connection ends with the response to this request. */
  isLast({ complete, headers }: IncomingMessage): boolean {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    // Node marks a body as complete after it has handed it over.
    const isBodyLeft = hasBody && !complete;
    // Node drops what arrives in one packet behind a request to upgrade: a later response would seem to belong to it.
    if (isBodyLeft || headers.upgrade !== undefined) return true;
    const isLast = this.#waiting.length === 0 && this.#runAfterLast === undefined;
    return isLast && (this.#isClosing || this.#owner.isStopping);
  }

  /**
   * Stops reading after an error that Node has found in what arrives. The error becomes the response to the request
   * whose body is broken. Where no request could be parsed, it becomes one more response.
   * @param sendRaw sends the error on the socket itself
   */
  fail(error: HttpError, sendRaw: () => void): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const last = this.#waiting.at(-1) ?? this.#current;
    if (last === undefined) sendRaw();
    else if (last.req.complete) this.#runAfterLast = sendRaw;
    else {
      last.bodyError = error;
      if (last === this.#current) this.#failBody?.(error);
    }
  }

  /**
   * Ends the connection behind its last response. What the caller still sends is not read; but to destroy the socket at once
   * would reset it, and the reset could overtake the response.
   */
  end(response = ''): void {
    this.#isClosing = true;
    this.socket.end(response);
    this.socket.pause();
    // Node would read on, to drop the rest of the body.
    this.socket.resume = () => this.socket;
    const timer = setTimeout(() => this.socket.destroy(), limits.lingerMs);
    this.socket.once('close', () => clearTimeout(timer));
  }

  dispose(): void {
    this.#isClosing = true;
    this.#waiting.length = 0;
    this.#current = undefined;
    this.#account(-this.heldBytes);
  }

  /** Reads on, unless a body is unwanted, or too much waits. */
  pauseOrResume(): void {
    if (this.#isClosing || this.socket.destroyed) return;
    const last = this.#waiting.at(-1) ?? this.#current;
    const isBodyUnwanted = last?.req.complete === false && !(last === this.#current && this.#isBodyWanted);
    const isFull = this.#waiting.length >= limits.pipelinedRequests;
    if (isBodyUnwanted || isFull || this.#owner.isReadingPaused) this.socket.pause();
    else this.socket.resume();
  }

  #start(request: ParsedRequest): void {
    this.#current = request;
    this.#isBodyWanted = false;
    this.#failBody = undefined;
    this.#owner.setIdle(this, false);
    request.res.once('close', () => this.#finish(request));
    this.#serve(request.req, request.res);
  }

  #finish({ req, heldBytes }: ParsedRequest): void {
    this.#current = undefined;
    if (this.socket.destroyed) return;
    this.#account(-heldBytes);
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#start(next);
      this.pauseOrResume();
      return;
    }
    this.#owner.setIdle(this, true);
    if (this.#runAfterLast !== undefined) this.#runAfterLast();
    else if (!req.complete && this.socket.writable) this.end();
  }

  #account(bytes: number): void {
    this.heldBytes += bytes;
    this.#owner.account(this, bytes);
  }
}

/** Memory of Node's objects for a request and its response, beside the headers. */
const REQUEST_OVERHEAD = 4 * 1024;

const estimateSize = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((size, { length }) => size + length, REQUEST_OVERHEAD);
