import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Answer } from './answer.ts';
import { routeTemplate } from './routing.ts';

/**
 * Writes the one line of a request that is over: its id, method, route template, status, duration in
 * milliseconds, and the name of the API key. Neither key nor address nor body is logged.
 */
export function logAnswer(logger: Logger, req: IncomingMessage, res: Answer): void {
  const { requestId, start, route, keyName } = res.locals;
  logger.info({
    requestId,
    method: req.method,
    route: route ?? ('route' in req ? routeTemplate(req.route) : undefined),
    status: res.writableFinished ? res.statusCode : 499,
    durationMs: Math.round((performance.now() - start) * 1000) / 1000,
    key: keyName,
  });
}
