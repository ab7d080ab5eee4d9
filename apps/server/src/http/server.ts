import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { HttpError } from './http-error.ts';
import type { Lifecycle } from './lifecycle.ts';
import { limits } from './limits.ts';
import { sendRawError } from './raw-response.ts';

/**
 * Puts the app behind Node's HTTP server, with the limits in force, and sees to it that what Node refuses
 * by itself is answered with the Error body too.
 *
 * @param options.maxConnections connections at a time; further ones are closed at once
 */
export function createHttpServer(
  app: Express,
  { lifecycle, maxConnections }: { lifecycle: Lifecycle; maxConnections: number },
): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections;

  const exchanges = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse }>();
  // The app decides on the head alone, also where the caller waits for 100 Continue or expects the unknown.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      exchanges.set(req.socket, { req, res });
      res.once('finish', () => lingerFor(req));
      lifecycle.track(res);
      app(req, res);
    });
  }
  server.on('connection', (socket) => lifecycle.trackConnection(socket));
  server.on('connect', (_req, socket) => {
    const allow = 'GET, HEAD, POST';
    sendRawError(socket, new HttpError('method_not_allowed', 'CONNECT is not allowed.', { Allow: allow }));
  });
  server.on('clientError', (error, socket) => {
    const exchange = exchanges.get(socket);
    const isAnswered = exchange?.res.headersSent && !exchange.req.complete;
    if (isAnswered || socket.destroyed) socket.destroy();
    else if (socket.writable) sendRawError(socket, fromClientError(error));
  });
  return server;
}

/** A caller that is still sending a body nobody wants gets time to read its answer before the connection is cut. */
function lingerFor(req: IncomingMessage): void {
  if (req.complete) return;
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
