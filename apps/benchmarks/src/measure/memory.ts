import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { createWorkloads } from '../load/workloads.ts';
import { compare, Measurements } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { inRounds } from './in-rounds.ts';
import { runWorkload } from './run-workload.ts';

const REST_MS = 500;

/** Resident memory in megabytes: at rest after a few requests, and its peak over all workloads. */
export async function measureMemory(bench: Bench): Promise<Table | string> {
  if (process.platform !== 'linux') return 'Memory: skipped, only Linux has the /proc that it is read from.';
  const workloads = createWorkloads(bench.apiKey, bench.pets);
  const measurements = new Measurements();
  await inRounds(bench, 'Memory', async (peer, { pid, port }) => {
    await sleep(REST_MS);
    measurements.add(peer.name, 'at rest', memoryOf(pid, 'VmRSS'));
    for (const workload of Object.values(workloads)) await runWorkload(bench, port, workload);
    measurements.add(peer.name, 'under load', memoryOf(pid, 'VmHWM'));
  });
  return compare(
    'Memory: resident megabytes, peak over all workloads',
    measurements.of(bench.peers),
    'less is better',
    formatCount,
  );
}

/**
 * Resident memory of a process, in megabytes.
 *
 * @param figure VmRSS for what it is now, VmHWM for its peak; see proc(5)
 */
export function memoryOf(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`^${figure}:\\s*(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1024) / 1_000_000;
}
