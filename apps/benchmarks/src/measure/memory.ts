import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { OPERATIONS, requestsOf } from '../load/operations.ts';
import { PEERS } from '../peers.ts';
import { Collection, compare } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { loadAfterWarmUp } from './load.ts';
import { inRounds } from './rounds.ts';

const REST_MS = 500;

/** Resident memory in megabytes: at rest after a few requests, and the most it was while under load. */
export async function measureMemory(bench: Bench): Promise<Table | string> {
  if (process.platform !== 'linux') return 'Memory: skipped, it is read from /proc, which only Linux has.';
  const requests = requestsOf(bench.apiKey, bench.count);
  const collection = new Collection();
  await inRounds(bench, 'Memory', async (peer, { pid, port }) => {
    await sleep(REST_MS);
    collection.add(peer.name, 'at rest', memoryOf(pid, 'VmRSS'));
    for (const operation of OPERATIONS) await loadAfterWarmUp(bench, port, requests[operation]);
    collection.add(peer.name, 'under load', memoryOf(pid, 'VmHWM'));
  });
  return compare(
    'Resident memory, megabytes',
    collection.of(PEERS.map(({ name }) => name)),
    'less is better',
    formatCount,
  );
}

/**
 * Resident memory of a process, in megabytes.
 *
 * @param figure what it is now (VmRSS), or the most that it ever was (VmHWM); see proc(5)
 */
export function memoryOf(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`^${figure}:\\s*(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1024) / 1_000_000;
}
