import type { Bench } from '../bench.ts';
import { sendRequests } from '../load/autocannon.ts';
import { generate } from '../load/generator.ts';
import type { Load } from '../load/load.ts';
import type { Workload } from '../load/template.ts';
import { hasUsage, processorSecondsOf } from '../process-usage.ts';
import type { RunningServer } from '../start-server.ts';

/**
 * Sends requests that do not count, until the server has compiled what it needs. By number and not by time: in the
 * same time a faster server would be warmed up more.
 */
export async function warmUp(
  { warmUp: amount }: Pick<Bench, 'warmUp'>,
  load: Load,
): Promise<{ responses: number }> {
  return assertNoFailure(await sendRequests(load, amount));
}

export interface WorkloadResult {
  requestsPerSecond: number;
  /** Of the server, for each request; not on all systems. */
  processorMicroseconds: number | undefined;
  /** Those of the warm-up included. */
  responses: number;
}

/**
 * Runs a workload after a warm-up.
 *
 * @throws Error when a single request fails
 */
export async function runWorkload(
  bench: Pick<Bench, 'connections' | 'seconds' | 'warmUp'>,
  { pid, port }: Pick<RunningServer, 'pid' | 'port'>,
  workload: Workload,
): Promise<WorkloadResult> {
  const load = { port, workload, connections: bench.connections };
  const before = await warmUp(bench, load);
  const usedBefore = hasUsage ? processorSecondsOf(pid) : 0;
  const result = assertNoFailure(await generate(load, bench.seconds));
  const used = hasUsage ? processorSecondsOf(pid) - usedBefore : undefined;
  return {
    requestsPerSecond: result.requestsPerSecond,
    processorMicroseconds: used && (used * 1_000_000) / result.responses,
    responses: before.responses + result.responses,
  };
}

function assertNoFailure<Result extends { failed: number }>(result: Result): Result {
  if (result.failed > 0) throw new Error(`${result.failed} requests failed under load`);
  return result;
}
