import type { OverloadLog } from '../connection/overload-log.ts';
import { HttpError } from '../http-error.ts';
import { contextOf, type Step } from '../request-context.ts';

/**
 * Refuses surplus requests early, with 503, so that those accepted keep their latency. The event loop
 * takes what has arrived in turns: a request that is started late in a long turn has waited since the turn
 * began, and so will the next ones.
 *
 * @param maxDelayMs how long a turn may have lasted when a request is started
 */
export function shedLoad(maxDelayMs: number, overloadLog: OverloadLog): Step {
  let turnStart: number | undefined;

  /** How long the present turn of the event loop has lasted, in milliseconds. */
  function measureTurn(now: number): number {
    if (turnStart === undefined) {
      turnStart = now;
      setImmediate(() => {
        turnStart = undefined;
      });
    }
    return now - turnStart;
  }

  return (_req, res, next) => {
    if (measureTurn(contextOf(res).start) > maxDelayMs) {
      overloadLog.count('refused');
      throw new HttpError('overloaded');
    }
    next();
  };
}
