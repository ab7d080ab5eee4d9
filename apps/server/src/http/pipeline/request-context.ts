import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '@petstore/contract';
import type { Connection, ParsedRequest } from '../connection/connection.ts';
import type { Route, Routes } from './routes.ts';
import { parseTraceparent, type TraceContext } from './trace-context.ts';

/** A valid API key, as far as requests need it. */
export interface ApiKey {
  /** As the log names it. */
  readonly name: string;
  /** Whose Idempotency-Keys are one set: stays the same when a key is rotated. */
  readonly owner: string;
  readonly scope: 'read' | 'write';
  /** Of all requests with keys of this owner. @default as many as they like */
  readonly rateLimit?: RateLimit | undefined;
}

/** How many requests are allowed in how much time. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Members of a line of the access log. */
export type LogDetails = Readonly<Record<string, string | number | bigint>>;

/** One request on its way through the steps. */
export interface RequestContext {
  readonly parsed: ParsedRequest;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly connection: Connection;
  /** Shared by the response and the log. */
  readonly requestId: string;
  /** The trace of the caller that the request is part of. */
  readonly trace: TraceContext | undefined;
  /** When the request was started, in milliseconds of `performance.now()`. */
  readonly start: number;
  /** Of the request target, without the query. */
  readonly path: string;
  /** The operation that the method and the path name. */
  readonly route: Route | undefined;
  /** What the log calls the path: a path itself, which a caller chooses, is not logged. */
  routeTemplate: string | undefined;
  /** Headers that the response carries whichever step makes it: names and values in turn. */
  readonly headers: string[];
  /** Whose request it is, once the key is known to be valid. */
  apiKey: ApiKey | undefined;
  /** The code of the error response, if it is one. */
  error: ErrorCode | undefined;
  /** What the access log says of this request beside what it says of each, by name. */
  logDetails: LogDetails | undefined;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

export function createRequestContext(
  parsed: ParsedRequest,
  connection: Connection,
  routes: Routes,
): RequestContext {
  const { req } = parsed;
  const sentId = req.headers['x-request-id'];
  // The caller's when it is well-formed.
  const requestId = typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : randomUUID();
  req.url = toOriginForm(req.url);
  const end = req.url.indexOf('?');
  const path = end < 0 ? req.url : req.url.slice(0, end);
  const route = routes.find(req.method, path);
  const headers = ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'];
  if (route !== undefined) headers.push(...route.headers);
  return {
    parsed,
    req,
    res: parsed.res,
    connection,
    requestId,
    trace: parseTraceparent(req.headers.traceparent),
    start: performance.now(),
    path,
    route,
    routeTemplate: route?.template,
    headers,
    apiKey: undefined,
    error: undefined,
    logDetails: undefined,
  };
}

/**
 * The path and query of a request target (RFC 9112, 3.2). Express would respond in HTML to an absolute one
 * that it cannot parse.
 */
function toOriginForm(target = '/'): string {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  return url === null ? '*' : url.pathname + url.search + url.hash;
}
