import type { RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../http/http-error.ts';

/** Adds a GET route that needs no key. */
export function addPublicRoute(router: Router, path: string, ...handlers: RequestHandler[]): void {
  const noteRoute: RequestHandler = (_req, res, next) => {
    res.locals.notes.route = path;
    next();
  };
  const refuseMethod: RequestHandler = ({ method }, _res, next) => {
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, ['GET', 'HEAD']);
    next();
  };
  router
    .route(path)
    .all(refuseMethod)
    .get(noteRoute, ...handlers);
}
