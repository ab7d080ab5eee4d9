import type { Bench } from '../bench.ts';
import { generate } from '../load/generator.ts';
import type { Workload } from '../load/template.ts';

const WARM_UP_SECONDS = 2;

/** Runs a workload that does not count, until the server has compiled what it needs. */
export async function warmUp(
  { connections, seconds }: Pick<Bench, 'connections' | 'seconds'>,
  port: number,
  workload: Workload,
): Promise<{ responses: number }> {
  const result = await generate({
    port,
    workload,
    connections,
    seconds: Math.min(seconds, WARM_UP_SECONDS),
  });
  return assertNoFailure(result);
}

/**
 * Runs a workload after a warm-up.
 *
 * @returns requests a second, and the number of responses, those of the warm-up included
 * @throws Error when a single request fails
 */
export async function runWorkload(
  bench: Pick<Bench, 'connections' | 'seconds'>,
  port: number,
  workload: Workload,
): Promise<{ requestsPerSecond: number; responses: number }> {
  const { connections, seconds } = bench;
  const before = await warmUp(bench, port, workload);
  const result = assertNoFailure(await generate({ port, workload, connections, seconds }));
  return {
    requestsPerSecond: result.requestsPerSecond,
    responses: before.responses + result.responses,
  };
}

function assertNoFailure<Result extends { failed: number }>(result: Result): Result {
  if (result.failed > 0) throw new Error(`${result.failed} requests failed under load`);
  return result;
}
