import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Context } from '../context.ts';
import type { RequestSummary } from '../observability/request-summary.ts';
import { parseTraceparent } from '../observability/tracing/trace-context.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { createCallerAddress, type FindCallerAddress } from './connection/caller-address.ts';
import type { Connection, ParsedRequest } from './connection/connection.ts';
import { HttpError } from './http-error.ts';
import { limits } from './limits.ts';
import { createServer } from './node-http.ts';
import { createPipeline, type RequestContext } from './pipeline.ts';
import { sendRawError } from './raw-error.ts';
import { methodNotAllowed, type Routes } from './routing/routes.ts';

/**
 * Creates Node's HTTP server with the limits in force. Each request passes the pipeline; what Node refuses
 * before there is a request gets the Error body too.
 */
export function createHttpServer(context: Context, respond = createPipeline(context)): Server {
  const { config, logger, accessLog, metrics, tracing, connections, routes } = context;
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: limits.checkIntervalMs,
    requireHostHeader: false,
    // Two Host headers must be noticed, and two credentials refused.
    joinDuplicateHeaders: true,
  });
  server.timeout = limits.inactivityMs;

  const findCallerAddress = createCallerAddress(config.TRUSTED_PROXIES);

  function serve(parsed: ParsedRequest, connection: Connection) {
    const request = createRequestContext(parsed, connection, routes);
    if (tracing === undefined) void respond(request);
    else trace(request, tracing);
    return () => {
      const summary = summarize(request, findCallerAddress);
      accessLog(summary);
      metrics?.observeRequest(summary);
      request.span?.end(summary);
    };
  }

  function trace(request: RequestContext, tracing: Tracing): void {
    const span = tracing.startRequest(request);
    request.span = span;
    request.trace = span.context;
    span.run(() => void respond(request));
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
    refuse(socket, methodNotAllowed(req.method, ['GET', 'HEAD', 'POST']), req.method);
  });
  server.on('clientError', (error, socket) => refuse(socket, fromClientError(error)));

  /** Refuses what did not become a request. */
  function refuse(socket: Duplex, error: HttpError, method = ''): void {
    const connection = connections.find(socket);
    if (connection === undefined || socket.destroyed) {
      socket.destroy();
      return;
    }
    connection.fail(error, () => {
      const caller = findCallerAddress(connection.remoteAddress, {});
      logger.info({ ...sendRawError(socket, error), caller }, error.message);
      metrics?.observeRefusal(method, error);
    });
  }
  return server;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

function createRequestContext(parsed: ParsedRequest, connection: Connection, routes: Routes): RequestContext {
  const { req } = parsed;
  const sentId = req.headers['x-request-id'];
  // The caller's when it is well-formed.
  const requestId = typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : randomUUID();
  req.url = toOriginForm(req.url);
  const end = req.url.indexOf('?');
  const path = end < 0 ? req.url : req.url.slice(0, end);
  const route = routes.find(req.method, path);
  return {
    parsed,
    req,
    res: parsed.res,
    connection,
    requestId,
    trace: parseTraceparent(req.headers.traceparent),
    span: undefined,
    start: performance.now(),
    path,
    route,
    routeTemplate: route?.template,
    headers: ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'],
    apiKey: undefined,
    error: undefined,
  };
}

/**
 * The path and query of a request target (RFC 9112, 3.2). Express would respond in HTML to an absolute one
 * that it cannot parse.
 */
function toOriginForm(target = '/'): string {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  return url === null ? '*' : url.pathname + url.search;
}

/** Statuses of requests that were refused for what they asked for: an operator wants to know which caller asks for what. */
const REFUSALS = new Set([401, 404, 405]);

const MAX_LOGGED_PATH = 256;

function summarize(request: RequestContext, findCallerAddress: FindCallerAddress): RequestSummary {
  const { req, res, requestId, trace, path, route, routeTemplate, start, apiKey, error, connection } =
    request;
  const isRefused = REFUSALS.has(res.statusCode);
  return {
    requestId,
    method: req.method ?? '',
    route: routeTemplate,
    // As nginx logs a request that its caller gave up.
    status: res.writableFinished ? res.statusCode : 499,
    durationMs: Math.round((performance.now() - start) * 1000) / 1000,
    key: apiKey?.name,
    path: isRefused ? path.slice(0, MAX_LOGGED_PATH) : undefined,
    caller: isRefused ? findCallerAddress(connection.remoteAddress, req.headers) : undefined,
    traceId: trace?.traceId,
    error,
    isDeprecated: route?.deprecation !== undefined,
  };
}

function fromClientError(error: NodeJS.ErrnoException): HttpError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', `The headers exceed ${limits.headerBytes} bytes.`);
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
