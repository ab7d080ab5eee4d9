import { parse } from 'node:querystring';
import express, { type ErrorRequestHandler } from 'express';
import type { Context } from '../../context.ts';
import type { Validity } from '../cache/response-cache.ts';
import { HttpError } from '../http-error.ts';
import { IncomingMessage, ServerResponse } from '../node-http.ts';
import type { RequestContext } from '../pipeline.ts';
import { jsonResponse, taggedResponse } from '../response.ts';
import type { CacheableResponse } from './cache-responses.ts';

declare global {
  namespace Express {
    /** How a handler reaches what is around it. */
    interface Locals {
      readonly request: RequestContext;
      /** Headers of the response beside those of every response: names and values in turn. */
      readonly headers: string[];
      /** For how long the response may be cached, where the handler knows. */
      validity?: Validity | undefined;
      /** Ends the request with whatever was thrown. */
      fail(error: unknown): void;
    }
  }
}

/**
 * The router of the contract's versions: validates a request by its schemas and runs the handler of its
 * operation, by ts-rest on Express.
 */
export function routeToHandlers(context: Context) {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Express would replace the prototypes of both messages at each request. That takes 4 % of the time of a single pet,
  // and makes later access to them slower. They keep Node's, and are given the members that ts-rest uses.
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  for (const { addEndpoints } of context.versions) {
    addEndpoints(app, context, {
      logInitialization: false,
      requestValidationErrorHandler: (error, _req, _res, next) => next(error),
    });
  }

  // Express parses some URLs in another way than the step that looked for the route: `\` as `/`, for example.
  app.use((_req, res) => res.locals.fail(new HttpError('path_not_found')));
  const endWithError: ErrorRequestHandler = (error, _req, res, _next) => res.locals.fail(error);
  app.use(endWithError);

  return (request: RequestContext): Promise<CacheableResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<CacheableResponse>();
    const locals: Express.Locals = { request, headers: [], fail: reject };
    request.span?.startValidation();
    app(
      Object.assign(request.req, { query: parseQuery(request) }),
      Object.assign(request.res, {
        locals,
        status(code: number) {
          request.res.statusCode = code;
          return this;
        },
        json(value: unknown) {
          resolve(toResponse(request.res.statusCode, value, locals));
        },
      }),
    );
    return promise;
  };
}

/** A parameter that is sent twice becomes an array, which no schema accepts, however many come before. */
function parseQuery({ req: { url = '' }, path }: RequestContext) {
  return parse(url.slice(path.length + 1), '&', '=', { maxKeys: 0 });
}

const toResponse = (
  status: number,
  value: unknown,
  { headers, validity }: Express.Locals,
): CacheableResponse =>
  status === 200 ? { ...taggedResponse(value, headers), validity } : jsonResponse(status, value, headers);
