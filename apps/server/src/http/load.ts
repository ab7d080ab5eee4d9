import type { RequestHandler } from 'express';
import { HttpError } from './http-error.ts';

/**
 * Turns surplus requests away early, with 503, so that those taken keep their latency. The event loop
 * takes what has arrived in turns; a request that is looked at late in a long turn has waited since the
 * turn began, and so long will the next ones.
 *
 * @param maxDelayMs how long a turn may have lasted when a request is looked at
 */
export function shedLoad(maxDelayMs: number): RequestHandler {
  let turnStart: number | undefined;
  return (_req, _res, next) => {
    const now = performance.now();
    if (turnStart === undefined) {
      turnStart = now;
      setImmediate(() => {
        turnStart = undefined;
      });
    }
    if (now - turnStart > maxDelayMs) throw new HttpError('overloaded');
    next();
  };
}
