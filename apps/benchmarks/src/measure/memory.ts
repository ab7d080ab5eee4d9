import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { createWorkloads } from '../load/workloads.ts';
import { hasUsage, memoryOf } from '../process-usage.ts';
import { compare, Measurements } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { inRounds } from './in-rounds.ts';
import { runWorkload } from './run-workload.ts';

const REST_MS = 500;

/** Resident memory in megabytes: at rest after a few requests, and its peak over all workloads. */
export async function measureMemory(bench: Bench): Promise<Table | string> {
  if (!hasUsage) return 'Memory: skipped, only Linux has the /proc that it is read from.';
  const workloads = createWorkloads(bench.apiKey, bench.pets);
  const measurements = new Measurements();
  await inRounds(bench, 'Memory', async (peer, server) => {
    await sleep(REST_MS);
    measurements.add(peer.name, 'at rest', memoryOf(server.pid, 'VmRSS'));
    for (const workload of Object.values(workloads)) await runWorkload(bench, server, workload);
    measurements.add(peer.name, 'under load', memoryOf(server.pid, 'VmHWM'));
  });
  return compare(
    'Memory: resident megabytes, peak over all workloads',
    measurements.of(bench.peers),
    'less is better',
    formatCount,
  );
}
