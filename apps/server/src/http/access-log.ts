import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { routeTemplate } from './routing.ts';

interface Exchange {
  requestId: string;
  req: IncomingMessage;
  res: ServerResponse;
  /** When the request was taken up, as `performance.now` tells it. */
  start: number;
  /** Route template; `undefined` where there is no route. */
  route: string | undefined;
  keyName: string | undefined;
}

/**
 * Writes the one line of a request that is over: its id, method, route template, status, duration in
 * milliseconds, and the name of the API key. Neither key nor address nor body is logged.
 */
export function logAnswer(logger: Logger, { requestId, req, res, start, route, keyName }: Exchange): void {
  logger.info({
    requestId,
    method: req.method,
    route,
    status: res.writableFinished ? res.statusCode : 499,
    durationMs: Math.round((performance.now() - start) * 1000) / 1000,
    key: keyName,
  });
}

/** Has a line written for every request. */
export const logRequests =
  (logger: Logger): RequestHandler =>
  (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const { requestId, keyName } = res.locals;
      logAnswer(logger, { requestId, req, res, start, route: routeTemplate(req.route), keyName });
    });
    next();
  };
