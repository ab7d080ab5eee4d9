import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Route } from '@petstore/contract';
import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import type { Connection } from './connection/connection.ts';

export type Step = (req: IncomingMessage, res: Response, next: NextFunction) => void;

/** A step that runs once ts-rest has noted the route. */
export type OperationStep = (
  req: IncomingMessage & { readonly tsRestRoute: Route },
  res: Response,
  next: NextFunction,
) => void;

export interface ApiKey {
  readonly name: string;
  /** Keys with the same owner share their Idempotency-Keys. A rotated key keeps its owner. */
  readonly owner: string;
  readonly scope: 'read' | 'write';
  /** The limit for all keys of this owner together. @default no limit */
  readonly rateLimit?: RateLimit | undefined;
}

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface SentList {
  readonly json: string;
  readonly etag: string;
  readonly link: string | undefined;
}

/** The state of a request that its steps, its handler and the log share. */
interface RequestContext {
  readonly connection: Connection;
  readonly requestId: string;
  /** The id of the caller's trace (W3C Trace Context). */
  readonly traceId: string | undefined;
  /** When the request started, in milliseconds of `performance.now()`. */
  readonly start: number;
  /** The path of the URL, without the query. */
  readonly path: string;
  /** The template of the path, once a route has matched. */
  route: string | undefined;
  isDeprecated: boolean;
  /** Headers of each response of the operation, errors included. */
  operationHeaders: Readonly<Record<string, string>>;
  /** Headers of a successful response: `sendError` removes them. */
  handlerHeaders: Readonly<Partial<Record<string, string>>>;
  apiKey: ApiKey | undefined;
  error: string | undefined;
  /** The address of the caller, as a trusted proxy reports it. @default the address of the connection */
  readonly caller: string | undefined;
  /** Further members of the log line. */
  logDetails: Readonly<Record<string, string | number | bigint>> | undefined;
  /** Stores a list in the cache, once `sendValue` has formatted it. */
  keepList: ((list: SentList) => void) | undefined;
}

export const contextOf = (res: Response): RequestContext => res.locals.context;

/** A request that has ended, as the metrics count it. */
export interface RequestSummary {
  method: string;
  /** The template of the path; `undefined` when no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  /** Name of the API key. */
  key: string | undefined;
  /** The `X-Client` header, `name/version`, of a request to a deprecated operation. */
  client: string | undefined;
  error: string | undefined;
  isDeprecated: boolean;
}

interface RequestOptions {
  connections: { find(socket: Socket): Connection | undefined };
  logger: Logger;
  observer: { onRequestEnd(summary: RequestSummary): void } | undefined;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

/** The first step: creates the context, and sets the headers of every response. */
export function beginRequest({ connections, logger, observer }: RequestOptions): Step {
  return (req, res, next) => {
    const connection = connections.find(req.socket);
    if (connection === undefined) throw new Error('The request came on no connection of this server');
    const { url = '', headers } = req;
    const sentId = headers['x-request-id'];
    const end = url.indexOf('?');
    const context: RequestContext = {
      connection,
      requestId: typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : randomUUID(),
      traceId: parseTraceId(headers.traceparent),
      start: performance.now(),
      path: end < 0 ? url : url.slice(0, end),
      route: undefined,
      isDeprecated: false,
      operationHeaders: {},
      handlerHeaders: {},
      apiKey: undefined,
      error: undefined,
      caller: headers['x-forwarded-for'] === undefined ? connection.remoteAddress : res.req.ip,
      logDetails: undefined,
      keepList: undefined,
    };
    res.locals.context = context;
    res.set('X-Request-Id', context.requestId);
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Cache-Control', 'no-store');
    res.once('close', () => {
      const summary = logRequest(req, res, context, logger);
      observer?.onRequestEnd(summary);
    });
    next();
  };
}

type StatedHeaders<Given extends Route> = NonNullable<Given['metadata']['responseHeaders']>;

type HeaderOf<
  Given extends Route,
  Status extends keyof StatedHeaders<Given>,
> = StatedHeaders<Given>[Status] extends readonly (infer Name extends string)[] ? Name : never;

/** Sets headers that the operation states for a success: `setHeaders<typeof createPet, 201>(res, …)`. */
export function setHeaders<Given extends Route, Status extends keyof StatedHeaders<Given>>(
  res: Response,
  headers: { readonly [Name in HeaderOf<Given, Status>]?: string | undefined },
): void {
  contextOf(res).handlerHeaders = headers;
  for (const [name, value] of Object.entries<string | undefined>(headers)) {
    // Appended, because a deprecation may have set Link.
    if (value !== undefined) res.append(name, value);
  }
}

/** A later version of Trace Context may append further fields (W3C, 3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/** Finds the trace id in the `traceparent` header. An invalid header counts as missing. */
function parseTraceId(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, rest] = TRACEPARENT.exec(header) ?? [];
  return version === '00' && rest !== undefined ? undefined : traceId;
}

const PROBES = new Set<string | undefined>(['/livez', '/readyz']);

/** The log lines of these statuses have the caller's address and path. */
const LOGGED_CALLERS = new Set([401, 404, 405]);

const MAX_LOGGED_PATH = 256;

/** Callers choose this header, so only short tokens are logged. */
const CLIENT = /^[\w.-]{1,40}\/[\w.+-]{1,40}$/;

/** Logs a request without its credentials, body and query. */
function logRequest(
  { method = '', headers }: IncomingMessage,
  res: Response,
  context: RequestContext,
  logger: Logger,
): RequestSummary {
  const { connection, requestId, route, isDeprecated, start, apiKey, error, caller } = context;
  const sentClient = headers['x-client'];
  const client = isDeprecated && CLIENT.test(String(sentClient)) ? String(sentClient) : undefined;
  // nginx also logs 499 when a caller closes the connection before the response is complete.
  const status = res.writableFinished ? res.statusCode : 499;
  const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
  const key = apiKey?.name;
  const hasRefusedCaller = LOGGED_CALLERS.has(status);
  const isForwarded = caller !== connection.remoteAddress;
  // Probes come every few seconds: only failures are logged.
  if (status !== 200 || !PROBES.has(route)) {
    logger.info({
      requestId,
      method,
      route,
      path: hasRefusedCaller ? context.path.slice(0, MAX_LOGGED_PATH) : undefined,
      status,
      durationMs,
      key,
      client,
      ...context.logDetails,
      caller: hasRefusedCaller || isForwarded ? toIpv4(caller) : undefined,
      trace_id: context.traceId,
    });
  }
  return { method, route, status, durationMs, key, client, error, isDeprecated };
}

/** Removes the prefix of an IPv4 address on an IPv6 socket. */
export const toIpv4 = (address = '') => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
