import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '@petstore/contract';
import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import type { RequestTrace } from '../observability/tracing/request-trace.ts';
import type { TraceContext } from '../observability/tracing/trace-context.ts';
import type { Connection, ParsedRequest } from './connection/connection.ts';
import { createErrorResponses } from './errors.ts';
import { applyPreconditions, type Response, sendResponse } from './response.ts';
import type { Route } from './routing/routes.ts';
import { allowOrigins } from './steps/allow-origins.ts';
import { announceDeprecation } from './steps/announce-deprecation.ts';
import { authenticate } from './steps/authenticate.ts';
import { cacheResponses } from './steps/cache-responses.ts';
import { checkProtocol } from './steps/check-protocol.ts';
import { limitRate } from './steps/limit-rate.ts';
import { servePublicRoutes } from './steps/public-routes.ts';
import { refuseUnknownRoutes } from './steps/refuse-unknown-routes.ts';
import { requireScope } from './steps/require-scope.ts';
import { routeToHandlers } from './steps/router.ts';
import { shedLoad } from './steps/shed-load.ts';

/** One request on its way through the steps. */
export interface RequestContext {
  readonly parsed: ParsedRequest;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly connection: Connection;
  /** Shared by the response and the log. */
  readonly requestId: string;
  /** The trace that the request is part of: the caller's, or that of its span. */
  trace: TraceContext | undefined;
  /** Present when spans are exported. */
  span: RequestTrace | undefined;
  /** When the request was started, in milliseconds of `performance.now()`. */
  readonly start: number;
  /** Of the request target, without the query. */
  readonly path: string;
  /** The operation of the contract that the method and the path name. */
  readonly route: Route | undefined;
  /** What the log calls the path: a path itself, which a caller chooses, is not logged. */
  routeTemplate: string | undefined;
  /** Headers that the response carries whichever step makes it: names and values in turn. */
  readonly headers: string[];
  /** Whose request it is, once the key is known to be valid. */
  apiKey: ApiKey | undefined;
  /** The code of the error response, if it is one. */
  error: ErrorCode | undefined;
}

/**
 * One rule of the service: returns the response that ends the request here, nothing to pass it on, or
 * throws what {@link createErrorResponses} turns into an error response.
 */
export type Step = (request: RequestContext) => Response | undefined | Promise<Response | undefined>;

/**
 * What every request passes, in this order. The first two only add headers, so that refusals carry them
 * as well; everything without a key comes before authentication; a cached response is given only to
 * callers who may read the pet, and counts like any other.
 */
export function createSteps(context: Context): Step[] {
  const { RATE_LIMIT } = context.config;
  return [
    announceDeprecation(context.config),
    allowOrigins(context.config.CORS_ORIGINS),
    shedLoad(context),
    checkProtocol,
    servePublicRoutes(context),
    authenticate(context.keyRing),
    ...(RATE_LIMIT ? [limitRate(RATE_LIMIT)] : []),
    refuseUnknownRoutes(context.routes),
    requireScope,
    cacheResponses(context, routeToHandlers(context)),
  ];
}

/**
 * Joins steps to the function that responds to a request. It never rejects: what a step throws becomes an
 * error response.
 */
export function createPipeline(context: Context, steps = createSteps(context)) {
  const toErrorResponse = createErrorResponses(context);

  return async (request: RequestContext): Promise<void> => {
    let response: Response;
    try {
      response = applyPreconditions(request.req, await runSteps(steps, request));
    } catch (thrown) {
      response = toErrorResponse(thrown, request);
    }
    sendResponse(request, response);
  };
}

async function runSteps(steps: readonly Step[], request: RequestContext): Promise<Response> {
  for (const step of steps) {
    const result = step(request);
    // Most steps are synchronous: their requests do not wait for the promise queue.
    const response = result instanceof Promise ? await result : result;
    if (response !== undefined) return response;
  }
  throw new Error(`No step responded to ${request.req.method} ${request.path}`);
}
