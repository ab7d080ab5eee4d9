import type { Config } from '../../config.ts';
import type { OverloadLog } from '../connection/overload-log.ts';
import { HttpError } from '../http-error.ts';
import type { Step } from '../pipeline.ts';
import { isProbe } from '../public/health.ts';

/**
 * Refuses surplus requests early, with 503, so that those accepted keep their latency. The event loop
 * takes what has arrived in turns: a request that is started late in a long turn has waited since the turn
 * began, and so will the next ones. Probes are never refused.
 *
 * @param config.MAX_QUEUE_DELAY_MS how long a turn may have lasted when a request is started
 */
export function shedLoad({
  config,
  overloadLog,
}: {
  config: Pick<Config, 'MAX_QUEUE_DELAY_MS'>;
  overloadLog: OverloadLog;
}): Step {
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
    if (measureTurn(start) <= config.MAX_QUEUE_DELAY_MS || isProbe(path)) return undefined;
    overloadLog.count('refused');
    throw new HttpError('overloaded');
  };
}
