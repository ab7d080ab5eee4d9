import { parse } from 'node:querystring';
import { type NextFunction, Router } from 'express';
import type { RequestContext } from '../http/pipeline/request-context.ts';
import { HttpError } from '../http/responses/http-error.ts';
import type { Response } from '../http/responses/response.ts';
import type { OperationContext } from './handlers.ts';
import { readJsonBody } from './json-body.ts';
import type { OperationParts, ServedVersion } from './served-versions.ts';

/**
 * Creates the last step: the router of the contract's versions, which validates a request by its schemas and runs the
 * handler of its operation.
 */
export function routeToHandlers(versions: readonly ServedVersion[], parts: OperationParts) {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { addEndpoints } of versions) addEndpoints(router, parts);
  const dispatcher: Dispatcher = { dispatch: router };

  function dispatch(request: RequestContext, body: unknown): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    dispatcher.dispatch(
      new OperationRequest(request, body, resolve),
      {},
      // Express parses some URLs in another way than the step that looked for the route: `\` as `/`, for example.
      (error) => reject(error ?? new HttpError('path_not_found')),
    );
    return promise;
  }

  return (request: RequestContext): Promise<Response> => {
    if (request.req.method !== 'POST') return dispatch(request, undefined);
    return readJsonBody(request).then((body) => dispatch(request, body));
  };
}

/** A router of Express, of which these endpoints need no more than this. */
interface Dispatcher {
  dispatch(
    req: Pick<OperationRequest, 'method' | 'url' | 'headers' | 'query' | 'body' | 'operation' | 'respond'>,
    res: object,
    next: NextFunction,
  ): void;
}

/**
 * What the router and the endpoints read of a request. Express's own request is Node's with another prototype, which makes
 * every access to it slower: 9 % of the processor time of a single pet.
 */
class OperationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestContext['req']['headers'];
  readonly query: unknown;
  readonly body: unknown;
  readonly operation: OperationContext;
  readonly respond: (response: Promise<Response>) => void;
  /** Set by the router, with all that it keeps on a request. */
  params: unknown;
  baseUrl = '';
  originalUrl = '';
  route: unknown;
  next: unknown;

  constructor(request: RequestContext, body: unknown, respond: OperationRequest['respond']) {
    const { req, path } = request;
    this.method = req.method ?? '';
    this.url = req.url ?? '';
    this.headers = req.headers;
    // A parameter that is sent twice becomes an array, which no schema accepts, however many come before.
    this.query = parse(this.url.slice(path.length + 1), '&', '=', { maxKeys: 0 });
    this.body = body;
    this.operation = { request, headers: [] };
    this.respond = respond;
  }
}
