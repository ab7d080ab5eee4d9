import { parse } from 'node:querystring';
import { stringifyJson } from '@petstore/contract';
import type { Validity } from '@petstore/database/validity';
import type { RequestContext } from '@petstore/http/pipeline/request-context';
import { HttpError } from '@petstore/http/responses/http-error';
import { jsonResponse, taggedResponse } from '@petstore/http/responses/response';
import type { CacheableResponse } from '@petstore/http/steps/cache-responses';
import { type NextFunction, Router } from 'express';
import { readJsonBody } from './json-body.ts';
import type { OperationParts, ServedVersion } from './served-versions.ts';

/** What surrounds the validated request of an operation: how its handler reaches the caller and the response. */
interface OperationContext {
  readonly request: RequestContext;
  /** Headers of the response beside those of every response: names and values in turn. */
  readonly headers: string[];
  /** For how long the response may be cached, where the handler knows. */
  validity?: Validity | undefined;
}

declare global {
  namespace Express {
    interface Request {
      readonly operation: OperationContext;
    }
  }
}

/**
 * Creates the last step: the router of the contract's versions, which validates a request by its schemas and runs the
 * handler of its operation, by ts-rest on Express.
 */
export function routeToHandlers(versions: readonly ServedVersion[], parts: OperationParts) {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { addEndpoints } of versions) {
    addEndpoints(router, parts, {
      logInitialization: false,
      requestValidationErrorHandler: (error, _req, _res, next) => next(error),
    });
  }
  const dispatcher: Dispatcher = { dispatch: router };

  function dispatch(request: RequestContext, body: unknown): Promise<CacheableResponse<Validity>> {
    const { promise, resolve, reject } = Promise.withResolvers<CacheableResponse<Validity>>();
    const operation = { request, headers: [] };
    dispatcher.dispatch(
      new OperationRequest(operation, body),
      new OperationResponse(operation, resolve),
      // Express parses some URLs in another way than the step that looked for the route: `\` as `/`, for example.
      (error) => reject(error ?? new HttpError('path_not_found')),
    );
    return promise;
  }

  return (request: RequestContext): Promise<CacheableResponse<Validity>> => {
    request.span?.startValidation();
    if (request.req.method !== 'POST') return dispatch(request, undefined);
    return readJsonBody(request).then((body) => dispatch(request, body));
  };
}

/** A router of Express, of which these endpoints need no more than this. */
interface Dispatcher {
  dispatch(
    req: Pick<OperationRequest, 'method' | 'url' | 'headers' | 'query' | 'body' | 'operation'>,
    res: { status(code: number): unknown; json(value: unknown): unknown },
    next: NextFunction,
  ): void;
}

/**
 * What the router and ts-rest read of a request. Express's own request is Node's with another prototype, which makes
 * every access to it slower: 9 % of the processor time of a single pet.
 */
class OperationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestContext['req']['headers'];
  readonly query: unknown;
  readonly body: unknown;
  readonly operation: OperationContext;
  /** Set by the router, with all that it keeps on a request. */
  params: unknown;
  baseUrl = '';
  originalUrl = '';
  route: unknown;
  next: unknown;
  tsRestRoute: unknown;

  constructor(operation: OperationContext, body: unknown) {
    const { req, path } = operation.request;
    this.method = req.method ?? '';
    this.url = req.url ?? '';
    this.headers = req.headers;
    // A parameter that is sent twice becomes an array, which no schema accepts, however many come before.
    this.query = parse(this.url.slice(path.length + 1), '&', '=', { maxKeys: 0 });
    this.body = body;
    this.operation = operation;
  }
}

/** What ts-rest calls of a response. */
class OperationResponse {
  readonly #operation: OperationContext;
  readonly #resolve: (response: CacheableResponse<Validity>) => void;
  #status = 200;

  constructor(operation: OperationContext, resolve: (response: CacheableResponse<Validity>) => void) {
    this.#operation = operation;
    this.#resolve = resolve;
  }

  status(code: number): this {
    this.#status = code;
    return this;
  }

  json(value: unknown): this {
    const { headers, validity } = this.#operation;
    const json = stringifyJson(value);
    this.#resolve(
      this.#status === 200
        ? { ...taggedResponse(json, headers), validity }
        : jsonResponse(this.#status, json, headers),
    );
    return this;
  }
}
