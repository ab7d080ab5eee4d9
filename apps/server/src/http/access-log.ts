import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/**
 * Writes one line a request: its id, method, route template, status, duration in milliseconds, and the
 * name of the API key. Neither key nor address nor body is logged.
 */
export const logRequests =
  (logger: Logger): RequestHandler =>
  (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      logger.info({
        requestId: res.locals.requestId,
        method: req.method,
        route: res.locals.route ?? routeTemplate(req.route),
        status: res.writableFinished ? res.statusCode : 499,
        durationMs: Math.round((performance.now() - start) * 1000) / 1000,
        key: res.locals.keyName,
      });
    });
    next();
  };

/** The path of an Express route, with the names of its parameters. */
export const routeTemplate = (route: unknown): string | undefined =>
  typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : undefined;
