import type { OverloadLog } from '../connection/overload-log.ts';
import type { Step } from '../pipeline/step.ts';
import { HttpError } from '../responses/http-error.ts';
import { isProbe } from './serve-public-routes.ts';

/**
 * Refuses surplus requests early, with 503, so that those accepted keep their latency. The event loop
 * takes what has arrived in turns: a request that is started late in a long turn has waited since the turn
 * began, and so will the next ones. Probes are never refused.
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

  return ({ path, start }) => {
    if (measureTurn(start) <= maxDelayMs || isProbe(path)) return undefined;
    overloadLog.count('refused');
    throw new HttpError('overloaded');
  };
}
