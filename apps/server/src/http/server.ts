import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { HttpError } from './http-error.ts';
import type { Lifecycle } from './lifecycle.ts';
import { limits } from './limits.ts';
import type { LoadShedder } from './load-shedder.ts';
import { sendRawError } from './raw-response.ts';

/**
 * Puts the app behind Node's HTTP server, with the limits in force, and sees to it that what Node refuses
 * by itself is answered with the Error body too.
 *
 * @param options.maxConnections connections at a time; further ones are closed at once
 */
export function createHttpServer(
  app: RequestListener,
  { lifecycle, load, maxConnections }: { lifecycle: Lifecycle; load: LoadShedder; maxConnections: number },
): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    requireHostHeader: false,
    // Two Host fields are to be seen, and two credentials to be refused.
    joinDuplicateHeaders: true,
  });
  server.maxConnections = maxConnections;
  server.timeout = limits.inactivityMs;

  // The app decides on the head alone, also where the caller waits for 100 Continue or expects the unknown.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      if (req.socket.destroyed) return;
      const connection = lifecycle.track(req, res);
      res.once('close', () => {
        connection.open -= 1;
        lingerFor(req);
      });
      req.url = toOriginForm(req.url);
      // Answers that nobody takes stay in memory, and Node reads on in what it has of the connection.
      if (connection.open > limits.pipelinedRequests) load.cut(req);
      else if (!load.refuses(req, res)) app(req, res);
    });
  }
  server.on('connection', (socket) => lifecycle.trackConnection(socket));
  server.on('connect', (_req, socket) => {
    const allow = 'GET, HEAD, POST';
    sendRawError(socket, new HttpError('method_not_allowed', 'CONNECT is not allowed.', { Allow: allow }));
  });
  server.on('clientError', (error, socket) => {
    const { req, res } = lifecycle.findConnection(socket) ?? {};
    const refuse = () => {
      if (socket.writable) sendRawError(socket, fromClientError(error));
    };
    if (socket.destroyed || (res?.headersSent && !req?.complete)) socket.destroy();
    // Answers leave in the order of the requests: this one must not be taken for that of the one before.
    else if (req?.complete && !res?.writableFinished) res?.once('finish', refuse);
    else refuse();
  });
  return server;
}

/**
 * The path and query of a request target (RFC 9112, 3.2). Express would answer an absolute one that it
 * cannot read by itself, in HTML.
 */
function toOriginForm(target = '/'): string {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  return url === null ? '*' : url.pathname + url.search;
}

/** A caller that is still sending a body nobody wants gets time to read its answer before the connection is cut. */
function lingerFor(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), limits.lingerMs);
  req.once('close', () => clearTimeout(timer));
}

function fromClientError({ code }: NodeJS.ErrnoException): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', `The headers exceed ${limits.headerBytes} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout');
    default:
      return new HttpError('malformed_request');
  }
}
