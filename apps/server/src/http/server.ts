import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { createCallerAddress } from './connection/caller-address.ts';
import type { Connection, ParsedRequest } from './connection/connection.ts';
import type { Connections } from './connection/connections.ts';
import { limits } from './limits.ts';
import { createServer } from './node-http.ts';
import { methodNotAllowed } from './pipeline/methods.ts';
import { createRequestContext, type RequestContext } from './pipeline/request-context.ts';
import { type RequestSummary, summarize } from './pipeline/request-summary.ts';
import type { Routes } from './pipeline/routes.ts';
import { HttpError } from './responses/http-error.ts';
import { sendRawError } from './responses/raw-error.ts';

interface HttpServerOptions {
  /** Bytes of the request line and the headers together: 431 beyond. */
  maxHeadBytes: number;
  /** How long an idle connection is kept. */
  keepAliveTimeoutMs: number;
  /** Addresses and subnets of proxies whose X-Forwarded-For or Forwarded is believed. */
  trustedProxies: readonly string[];
  logger: Logger;
  connections: Connections;
  routes: Routes;
  /** Responds to a request; never rejects. */
  respond(request: RequestContext): Promise<void>;
  /** Called when a request has ended, whichever way. */
  onRequestEnd(summary: RequestSummary): void;
  /** Called when something was refused that did not become a request. */
  onRefusal(method: string, error: HttpError): void;
}

/**
 * Creates Node's HTTP server with the limits in force. Each request passes the pipeline; what Node refuses
 * before there is a request gets the Error body too.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { connections } = options;
  const server = createServer({
    maxHeaderSize: options.maxHeadBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    requireHostHeader: false,
    // Two Host headers must be noticed, and two credentials refused.
    joinDuplicateHeaders: true,
  });
  server.timeout = limits.inactivityMs;

  const findCallerAddress = createCallerAddress(options.trustedProxies);

  function serve(parsed: ParsedRequest, connection: Connection) {
    const request = createRequestContext(parsed, connection, options.routes);
    void options.respond(request);
    return () => {
      if (request.apiKey !== undefined) connection.trust();
      options.onRequestEnd(summarize(request, findCallerAddress));
    };
  }

  server.on('connection', (socket) => connections.open(socket, serve));
  // The head alone decides, also where the caller waits for 100 Continue or expects something unknown.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) =>
      connections.find(req.socket)?.receive(req, res),
    );
  }
  server.on('connect', (req: IncomingMessage, socket: Socket) => {
    // Node no longer listens for errors of this socket.
    socket.on('error', () => {});
    refuse(socket, methodNotAllowed(req.method, options.routes.methods), req.method);
  });
  server.on('clientError', (error, socket) => refuse(socket, fromClientError(error, options.maxHeadBytes)));

  /** Refuses what did not become a request. */
  function refuse(socket: Duplex, error: HttpError, method = ''): void {
    const connection = connections.find(socket);
    if (connection === undefined || socket.destroyed) {
      socket.destroy();
      return;
    }
    connection.fail(error, () => {
      const caller = findCallerAddress(connection.remoteAddress, {});
      options.logger.info({ ...sendRawError(socket, error), caller }, error.message);
      options.onRefusal(method, error);
    });
  }
  return server;
}

function fromClientError(error: NodeJS.ErrnoException, maxHeadBytes: number): HttpError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', `The headers exceed ${maxHeadBytes} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout');
    case 'HPE_INVALID_METHOD':
      return hasValidMethod(error)
        ? new HttpError('method_not_implemented')
        : new HttpError('malformed_request');
    default:
      return new HttpError('malformed_request');
  }
}

/** A request line with a token in place of the method (RFC 9112, 3). */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/\d\.\d\r?$/;

/** Whether Node stopped in a request line that is valid: its parser takes only methods that it knows. */
function hasValidMethod(error: Error & { rawPacket?: unknown; bytesParsed?: unknown }): boolean {
  if (!Buffer.isBuffer(error.rawPacket) || typeof error.bytesParsed !== 'number') return false;
  const text = error.rawPacket.toString('latin1');
  const lineStart = text.lastIndexOf('\n', error.bytesParsed) + 1;
  return REQUEST_LINE.test(text.slice(lineStart, text.indexOf('\n', lineStart)));
}
