import { HttpError } from '../http-error.ts';
import type { OverloadLog } from '../overload-log.ts';
import type { Middleware } from '../request-context.ts';

/**
 * Refuses surplus requests with 503, so that accepted requests keep their latency. In one turn of the event loop, Node
 * starts all requests that have arrived. A request that starts late in a turn has waited since the turn began.
 * @param maxDelayMs how long a turn may have lasted when a request is started
 */
export function shedLoad(maxDelayMs: number, overloadLog: OverloadLog): Middleware {
  let turnStart: number | undefined;

  return (_req, res, next) => {
    const { start } = res.locals;
    if (turnStart === undefined) {
      turnStart = start;
      setImmediate(() => {
        turnStart = undefined;
      });
    }
    if (start - turnStart > maxDelayMs) {
      overloadLog.count('refused');
      throw new HttpError('overloaded');
    }
    next();
  };
}
