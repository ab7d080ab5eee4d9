import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Route } from '@petstore/contract';
import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import type { Connection } from './connection/connection.ts';

/** Middleware of Express for every request. */
export type Step = (req: IncomingMessage, res: Response, next: NextFunction) => void;

/** Middleware of Express for operations, whose route ts-rest has noted. */
export type OperationStep = (
  req: IncomingMessage & { readonly tsRestRoute: Route },
  res: Response,
  next: NextFunction,
) => void;

/** A valid API key, as far as requests need it. */
export interface ApiKey {
  /** As the log names it. */
  readonly name: string;
  /** Whose Idempotency-Keys are one set: stays the same when a key is rotated. */
  readonly owner: string;
  readonly scope: 'read' | 'write';
  /** The limit of all requests with keys of this owner. @default as many as they like */
  readonly rateLimit?: RateLimit | undefined;
}

/** How many requests are allowed in how much time. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** A list as it was sent. */
export interface SentList {
  readonly json: string;
  readonly etag: string;
  readonly link: string | undefined;
}

/** What the steps, the handler and the log know of a request. */
export interface RequestContext {
  readonly connection: Connection;
  /** Shared by the response and the log. */
  readonly requestId: string;
  /** The id of the caller's trace that the request is part of. */
  readonly traceId: string | undefined;
  /** When the request was started, in milliseconds of `performance.now()`. */
  readonly start: number;
  /** The path of the request target, without the query. */
  readonly path: string;
  /** What the log calls the path, once a route has matched: a path itself, which a caller chooses, is not logged. */
  route: string | undefined;
  isDeprecated: boolean;
  /** Headers of each response of the operation, errors included. */
  operationHeaders: Readonly<Record<string, string>>;
  /** The names of the headers that the handler has set for its success. */
  handlerHeaders: readonly string[];
  /** Whose request it is, once the key is known to be valid. */
  apiKey: ApiKey | undefined;
  /** The code of the error response, if it is one. */
  error: string | undefined;
  /** The address of the caller, if the log line has it. */
  caller: string | undefined;
  /** What the access log says of this request beside what it says of each, by name. */
  logDetails: Readonly<Record<string, string | number | bigint>> | undefined;
  /** Keeps the list that is sent for requests to come. */
  keepList: ((list: SentList) => void) | undefined;
}

/** The context of the request that a response belongs to. */
export const contextOf = (res: Response): RequestContext => res.locals.context;

/** A request that has ended, as the metrics count it. */
export interface RequestSummary {
  method: string;
  /** Route template; `undefined` when no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  /** Name of the API key. */
  key: string | undefined;
  /** What the caller's program calls itself in `X-Client`, of a request to a deprecated operation: `name/version`. */
  client: string | undefined;
  /** The code of an error response. */
  error: string | undefined;
  /** Whether its operation is deprecated. */
  isDeprecated: boolean;
}

interface RequestOptions {
  findConnection(req: IncomingMessage): Connection | undefined;
  logger: Logger;
  /** Called when a request has ended, whichever way. */
  onRequestEnd: ((summary: RequestSummary) => void) | undefined;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

/** The first step: gives a request its context, and its response the headers of every response. */
export function beginRequest({ findConnection, logger, onRequestEnd }: RequestOptions): Step {
  return (req, res, next) => {
    const connection = findConnection(req);
    if (connection === undefined) throw new Error('The request came on no connection of this server');
    const { url = '', headers } = req;
    const sentId = headers['x-request-id'];
    const end = url.indexOf('?');
    const context: RequestContext = {
      connection,
      // The caller's when it is well-formed.
      requestId: typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : randomUUID(),
      traceId: parseTraceId(headers.traceparent),
      start: performance.now(),
      path: end < 0 ? url : url.slice(0, end),
      route: undefined,
      isDeprecated: false,
      operationHeaders: {},
      handlerHeaders: [],
      apiKey: undefined,
      error: undefined,
      caller: undefined,
      logDetails: undefined,
      keepList: undefined,
    };
    res.locals.context = context;
    res.set('X-Request-Id', context.requestId);
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Cache-Control', 'no-store');
    res.once('close', () => {
      if (context.apiKey !== undefined) connection.isTrusted = true;
      const summary = logRequest(req, res, context, logger);
      onRequestEnd?.(summary);
    });
    next();
  };
}

type StatedHeaders<Given extends Route> = NonNullable<Given['metadata']['responseHeaders']>;

type HeaderOf<
  Given extends Route,
  Status extends keyof StatedHeaders<Given>,
> = StatedHeaders<Given>[Status] extends readonly (infer Name extends string)[] ? Name : never;

/** Sets headers of a success that the operation states for its status: `setHeaders<typeof createPet, 201>(res, …)`. */
export function setHeaders<Given extends Route, Status extends keyof StatedHeaders<Given>>(
  res: Response,
  headers: { readonly [Name in HeaderOf<Given, Status>]?: string | undefined },
): void {
  contextOf(res).handlerHeaders = Object.keys(headers);
  for (const [name, value] of Object.entries<string | undefined>(headers)) {
    if (value !== undefined) res.append(name, value);
  }
}

/** A later version of Trace Context (W3C, 3.2) may have more members after these. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/** Finds the trace id in the header of a request; a header that is not valid counts as none. */
function parseTraceId(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, rest] = TRACEPARENT.exec(header) ?? [];
  return version === '00' && rest !== undefined ? undefined : traceId;
}

/** The paths of probes. */
const PROBES = new Set<string | undefined>(['/livez', '/readyz']);

const MAX_LOGGED_PATH = 256;

/** Short tokens, because a caller chooses them. */
const CLIENT = /^[\w.-]{1,40}\/[\w.+-]{1,40}$/;

/** Writes the line of a request that has ended. Keys, bodies and queries are not logged. */
function logRequest(
  { method = '', headers }: IncomingMessage,
  res: Response,
  { requestId, path, route, isDeprecated, start, apiKey, error, caller, traceId, logDetails }: RequestContext,
  logger: Logger,
): RequestSummary {
  const sentClient = headers['x-client'];
  const client = isDeprecated && CLIENT.test(String(sentClient)) ? String(sentClient) : undefined;
  // As nginx logs a request that its caller gave up.
  const status = res.writableFinished ? res.statusCode : 499;
  const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
  const key = apiKey?.name;
  // Probes come every few seconds: only one that fails tells something.
  if (status !== 200 || !PROBES.has(route)) {
    logger.info({
      requestId,
      method,
      route,
      path: caller === undefined ? undefined : path.slice(0, MAX_LOGGED_PATH),
      status,
      durationMs,
      key,
      client,
      ...logDetails,
      caller,
      trace_id: traceId,
    });
  }
  return { method, route, status, durationMs, key, client, error, isDeprecated };
}

/** An IPv4 address as such, also where the socket is one for both families. */
export const toIpv4 = (address = '') => address.replace(/^::ffff:(?=[\d.]+$)/i, '');
