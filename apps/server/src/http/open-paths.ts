import { type RequestHandler, Router } from 'express';
import type { Context } from '../context.ts';
import { docsRoutes, serveDocs } from './docs.ts';
import { healthRoutes, serveHealth } from './health.ts';
import { refuseOthers } from './routing.ts';

/** What is served without a key: the probes and the documentation. Other requests pass by in one step. */
export function serveOpenly(context: Context): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  serveHealth(router, context);
  serveDocs(router, context.config);
  const routes = [...healthRoutes, ...docsRoutes];
  refuseOthers(router, routes);
  const paths = new Set<string>(routes.map(({ path }) => path));
  return (req, res, next) => {
    if (paths.has(req.path)) router(req, res, next);
    else next();
  };
}
