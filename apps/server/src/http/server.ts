import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { App } from '../app.ts';
import type { Context } from '../context.ts';
import { logAnswer } from './access-log.ts';
import type { Answer } from './answer.ts';
import { HttpError } from './http-error.ts';
import { limits } from './limits.ts';
import { LoadShedder } from './load-shedder.ts';
import { sendRawError } from './raw-response.ts';

/**
 * Puts the app behind Node's HTTP server, with the limits in force, and sees to it that what Node refuses
 * by itself is answered with the Error body too.
 */
export function createHttpServer(
  { listener, messages }: App,
  { config, logger, accessLog, lifecycle }: Pick<Context, 'config' | 'logger' | 'accessLog' | 'lifecycle'>,
): Server<typeof IncomingMessage, typeof Answer> {
  const load = new LoadShedder(config.MAX_QUEUE_DELAY_MS, logger);
  const server = createServer({
    ...messages,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    requireHostHeader: false,
    // Two Host fields are to be seen, and two credentials to be refused.
    joinDuplicateHeaders: true,
  });
  server.maxConnections = config.MAX_CONNECTIONS;
  server.timeout = limits.inactivityMs;

  // The app decides on the head alone, also where the caller waits for 100 Continue or expects the unknown.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (req: IncomingMessage, res: Answer) => {
      // Node reads on in what it has of a connection that was cut.
      if (req.socket.destroyed) return;
      req.url = toOriginForm(req.url);
      const connection = lifecycle.track(req, res);
      // Answers that nobody takes would stay in memory.
      if (connection.open > limits.pipelinedRequests) return load.cut(req);
      const isRefused = load.refuses(req, res);
      res.once('close', () => {
        connection.open -= 1;
        lingerFor(req);
        if (!isRefused) logAnswer(accessLog, req, res);
      });
      if (!isRefused) listener(req, res);
    });
  }
  server.on('connection', (socket) => lifecycle.trackConnection(socket));
  server.on('connect', (_req, socket) => {
    // Node hears no more of this socket, not even that it broke.
    socket.on('error', () => {});
    refuse(
      socket,
      new HttpError('method_not_allowed', 'CONNECT is not allowed.', { Allow: 'GET, HEAD, POST' }),
    );
  });
  server.on('clientError', (error, socket) => refuse(socket, fromClientError(error)));

  function refuse(socket: Duplex, error: HttpError): void {
    const { req, res } = lifecycle.findConnection(socket) ?? {};
    const send = () => {
      if (!socket.writable) return;
      const requestId = sendRawError(socket, error);
      logger.info({ requestId, status: error.status }, error.message);
    };
    if (socket.destroyed || (res?.headersSent && !req?.complete)) socket.destroy();
    // Answers leave in the order of the requests: this one must not be taken for that of the one before.
    else if (req?.complete && !res?.writableFinished) res?.once('finish', send);
    else send();
  }
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
