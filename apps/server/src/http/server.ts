import type http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ErrorBody, sizeLimits, stringifyJson } from '@petstore/contract';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Connections } from './connections.ts';
import { HttpError, methodNotAllowed } from './http-error.ts';
import { limits } from './limits.ts';
import { logRequest, type RequestSummary } from './log-request.ts';
import { createServer, IncomingMessage, ServerResponse } from './node-http.ts';
import { beginRequest, type TypedResponse } from './request-context.ts';
import { sendJson } from './send-json.ts';

export interface HttpObserver {
  onRequestEnd(summary: RequestSummary): void;
}

interface HttpServerOptions {
  keepAliveTimeoutMs: number;
  logger: Logger;
  connections: Connections;
  /** The `Allow` header of a refused CONNECT request. */
  methods: readonly string[];
  observer: HttpObserver | undefined;
}

/** Creates Node's HTTP server. An error that occurs before Node has parsed a request gets an Error body, too. */
export function createHttpServer(app: Express, options: HttpServerOptions): http.Server {
  const { connections, logger } = options;
  const classes = createClasses(app, connections);
  const server = createServer({
    ...classes,
    maxHeaderSize: sizeLimits.head,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    // `checkProtocol` refuses a missing Host header with an Error body.
    requireHostHeader: false,
    // Otherwise Node would drop a second Host or Authorization header unnoticed.
    joinDuplicateHeaders: true,
  });
  server.timeout = limits.inactivityMs;
  server.on('connection', (socket) => connections.open(socket));
  server.on('request', (req: http.IncomingMessage, res: TypedResponse) => {
    const connection = connections.findOpen(req.socket);
    req.url = toOriginForm(req.url);
    connection?.receive(req, res, () => {
      // The request's turn has come. Node assigns no socket to a response that `refuse` has created.
      if (req.refusal !== undefined) res.assignSocket(connection.socket);
      beginRequest(req, res, connection);
      res.once('close', () => {
        const summary = logRequest(res, logger);
        options.observer?.onRequestEnd(summary);
      });
      app(req, res);
    });
  });
  // `checkProtocol` refuses an unknown expectation, `readJsonBody` sends 100 Continue. OpenTelemetry traces only `request`.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (...args) => void server.emit('request', ...args));
  server.on('connect', (req: http.IncomingMessage, socket: Socket) => {
    // Node has removed its listeners from this socket. Without one, an error would end the process.
    socket.on('error', () => {});
    // Without Node's listener for `drain`, a response in progress may never end.
    if (connections.findOpen(socket)?.isBusy) socket.destroy();
    else refuse(socket, methodNotAllowed(req.method, options.methods), req.method);
  });
  server.on('clientError', (error, socket) => refuse(socket, fromClientError(error)));

  /** Creates a request for bytes that Node does not emit as one. The app sends the refusal, and the connection ends. */
  function refuse(socket: Duplex, refusal: HttpError, method = ''): void {
    const connection = connections.findOpen(socket);
    if (connection === undefined) return;
    const req = Object.assign(new classes.IncomingMessage(connection.socket), { method, refusal });
    const res = new classes.ServerResponse(req);
    res.once('finish', () => {
      // Node would emit `close`, which logs the request, only at the end of the connection.
      res.emit('close');
      connection.end();
    });
    server.emit('request', req, res);
  }
  return server;
}

type HeaderList = http.OutgoingHttpHeaders | http.OutgoingHttpHeader[];

/**
 * Makes the classes of requests and responses. Their instances have Express's methods already. Otherwise Express would
 * change the prototype of each instance, for 5 to 10 % of the processor time. The overridden methods also apply to
 * third-party middleware, and to `res.end`.
 */
function createClasses(app: Express, connections: Connections) {
  class AppRequest extends IncomingMessage {
    /** Counts the memory of a body. Node calls this for each chunk that it has parsed, and at the end. */
    override push(chunk: Buffer | null): boolean {
      if (chunk) connections.findOpen(this.socket)?.holdChunk(chunk);
      return super.push(chunk);
    }
  }
  class AppResponse<Req extends http.IncomingMessage> extends ServerResponse<Req> {
    declare readonly locals: Express.Locals;

    /** Node calls this before the first byte of each response, if its sender has not. */
    override writeHead(status: number, reason?: string | HeaderList, headers?: HeaderList): this {
      if (typeof reason === 'object') return this.writeHead(status, undefined, reason);
      if (status === 503 && !this.hasHeader('Retry-After')) this.setHeader('Retry-After', '1');
      if (!this.locals.connection.endsAfter(this.req)) return super.writeHead(status, reason, headers);
      // Middleware may pass on the headers of another server, such as `Connection: keep-alive`.
      this.setHeader('Connection', 'close');
      return super.writeHead(status, reason, headers && withoutConnection(headers));
    }

    /** Replaces the method of Express, which throws for a bigint. */
    json(value: unknown): this {
      const { notes, formatted } = this.locals;
      if (this.statusCode >= 400) notes.code = ErrorBody.safeParse(value).data?.code;
      // `withEntityTag` has formatted this value, unless an error has replaced it.
      const isFormatted = formatted !== undefined && formatted.value === value;
      sendJson(this, isFormatted ? formatted.json : stringifyJson(value));
      return this;
    }
  }
  // Methods are looked up above, then in Express's prototype, then in Node's. Express gives each request the prototype
  // `app.request`, which an instance of these classes has already.
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** In an array, names and values alternate. */
function withoutConnection(headers: HeaderList): HeaderList {
  const isOther = (name: unknown) => String(name).toLowerCase() !== 'connection';
  return Array.isArray(headers)
    ? headers.filter((_, index) => isOther(headers[index - (index % 2)]))
    : Object.fromEntries(Object.entries(headers).filter(([name]) => isOther(name)));
}

/** Removes scheme and host of an absolute target (RFC 9112, 3.2). An invalid one becomes `*`, or Express sends HTML. */
function toOriginForm(target = '/'): string {
  // `URL.parse` would also resolve `..` and `\`: a proxy that limits some paths would see another path than Express.
  const path = target.replace(/^https?:\/\/[^/?#]+\/?/i, '/');
  return path.startsWith('/') ? path : '*';
}

function fromClientError(error: NodeJS.ErrnoException & { reason?: unknown }): HttpError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    // Node takes at most 1,000 headers, unless a server sets `maxHeadersCount`.
    return new HttpError('headers_too_large', `The headers exceed ${sizeLimits.head} bytes or 1,000 lines.`);
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError('request_timeout');
  // Node refuses methods of RTSP with an error of their own, before it reads the version of HTTP.
  const isOfRtsp = error.reason === 'Invalid method for HTTP/x.x request';
  const isUnknown = isOfRtsp || (error.code === 'HPE_INVALID_METHOD' && hasValidMethod(error));
  return new HttpError(isUnknown ? 'method_not_implemented' : 'malformed_request');
}

/** The rest of a request line (RFC 9112, 3). It begins within the method, which is any token, or after the method. */
const REST_OF_LINE = /(?:(?<=[A-Z_-])|[!#$%&'*+.^_`|~\w-]+) \S+ HTTP\/\d\.\d\r?$/my;

/** Whether Node, which knows only some methods, has refused a valid request line. */
function hasValidMethod(error: Error & { rawPacket?: unknown; bytesParsed?: unknown }): boolean {
  if (!Buffer.isBuffer(error.rawPacket) || typeof error.bytesParsed !== 'number') return false;
  // Complete requests may precede the line. Node stops at the first character that fits no method it knows: the space
  // after `GE`, or the first letter of `brew`. The methods it knows consist of `A` to `Z`, `-` and `_`.
  REST_OF_LINE.lastIndex = error.bytesParsed;
  return REST_OF_LINE.test(error.rawPacket.toString('latin1'));
}
