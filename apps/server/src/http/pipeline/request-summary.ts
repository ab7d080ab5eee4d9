import type { ErrorCode } from '@petstore/contract';
import type { FindCallerAddress } from '../connection/caller-address.ts';
import type { LogDetails, RequestContext } from './request-context.ts';

/** A request that has ended, for the access log and the metrics. */
export interface RequestSummary {
  requestId: string;
  method: string;
  /** Route template; `undefined` when no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  /** The path, of a request that was refused because of what it asked for. */
  path: string | undefined;
  /** The address of its caller, likewise. */
  caller: string | undefined;
  /** The id of its trace, of a request that is part of one. */
  traceId: string | undefined;
  /** Name of the API key. */
  key: string | undefined;
  /** The code of an error response. */
  error: ErrorCode | undefined;
  /** Whether its operation is deprecated. */
  isDeprecated: boolean;
  /** What the caller's program calls itself in `X-Client`, of a request to a deprecated operation: `name/version`. */
  client: string | undefined;
  /** What the access log says of this request beside what it says of each. */
  details: LogDetails | undefined;
}

/** Statuses of requests that were refused for what they asked for: an operator wants to know which caller asks for what. */
const REFUSALS = new Set([401, 404, 405]);

const MAX_LOGGED_PATH = 256;

/** Short tokens, because a caller chooses them. */
const CLIENT = /^[\w.-]{1,40}\/[\w.+-]{1,40}$/;

export function summarize(request: RequestContext, findCallerAddress: FindCallerAddress): RequestSummary {
  const { req, res, requestId, trace, path, route, routeTemplate, start, apiKey, error, connection } =
    request;
  const isDeprecated = route?.isDeprecated === true;
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
    isDeprecated,
    client: isDeprecated ? parseClient(req.headers['x-client']) : undefined,
    details: request.logDetails,
  };
}

const parseClient = (header: unknown) =>
  typeof header === 'string' && CLIENT.test(header) ? header : undefined;
