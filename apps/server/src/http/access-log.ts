import type { IncomingMessage } from 'node:http';
import type { AccessLog } from '../log/access-log.ts';
import type { Answer } from './answer.ts';
import { routeTemplate } from './routing.ts';

/** Writes the one line of a request that is over, or was given up by its caller. */
export function logAnswer(accessLog: AccessLog, req: IncomingMessage, res: Answer): void {
  const { requestId, start, route, keyName } = res.locals;
  accessLog({
    requestId,
    method: req.method ?? '',
    route: route ?? ('route' in req ? routeTemplate(req.route) : undefined),
    status: res.writableFinished ? res.statusCode : 499,
    durationMs: Math.round((performance.now() - start) * 1000) / 1000,
    key: keyName,
  });
}
