import { parse } from 'node:querystring';
import express, { type ErrorRequestHandler } from 'express';
import type { Context } from '../../context.ts';
import type { Validity } from '../cache/response-cache.ts';
import { HttpError } from '../http-error.ts';
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
      /** Ends the request with a status and a JSON value. */
      respond(status: number, value: unknown): void;
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
  // A parameter that is sent twice becomes an array, which no schema accepts, however many come before.
  app.set('query parser', (text: string) => parse(text, '&', '=', { maxKeys: 0 }));
  // ts-rest responds through `res.json`.
  app.response.json = function json(value) {
    this.locals.respond(this.statusCode, value);
    return this;
  };
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
    const locals: Express.Locals = {
      request,
      headers: [],
      respond(status, value) {
        const { headers, validity } = this;
        const isTagged = status === 200;
        resolve(
          isTagged ? { ...taggedResponse(value, headers), validity } : jsonResponse(status, value, headers),
        );
      },
      fail: reject,
    };
    request.span?.startValidation();
    app(request.req, Object.assign(request.res, { locals }));
    return promise;
  };
}
