import type { Bench } from '../bench.ts';
import { generate } from '../load/generator.ts';
import type { Request } from '../load/request.ts';

const WARM_UP_SECONDS = 2;

/**
 * Puts a server under load, after a warm-up that does not count.
 *
 * @returns requests a second, and how many were answered, the warm-up's too
 * @throws Error when a single request fails
 */
export async function loadAfterWarmUp(
  { connections, seconds }: Pick<Bench, 'connections' | 'seconds'>,
  port: number,
  requests: readonly Request[],
): Promise<{ requestsPerSecond: number; answered: number }> {
  const load = { port, requests, connections };
  const warmUp = await generate({ ...load, seconds: Math.min(seconds, WARM_UP_SECONDS) });
  const result = await generate({ ...load, seconds });
  const failed = warmUp.failed + result.failed;
  if (failed > 0) throw new Error(`${failed} requests failed under load`);
  return {
    requestsPerSecond: result.requestsPerSecond,
    answered: warmUp.answered + result.answered,
  };
}
