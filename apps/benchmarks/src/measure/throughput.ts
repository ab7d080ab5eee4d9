import type { Bench } from '../bench.ts';
import { checkResponses } from '../check-responses.ts';
import { countPets } from '../data/seed.ts';
import { generatorName } from '../load/generator.ts';
import { CACHED, CREATIONS, createWorkloads, UNCACHED, type WorkloadName } from '../load/workloads.ts';
import { hasUsage } from '../process-usage.ts';
import { compare, Measurements } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { inRounds } from './in-rounds.ts';
import { runWorkload } from './run-workload.ts';

/** Creations are a random part of a mix. Six standard deviations below their share do not come by chance. */
const DEVIATIONS = 6;

/**
 * Requests a second of each server, and the processor time that it needs for each: tables for what no cache helps, and
 * for what a cache may help. Processor time hardly changes when the machine has other work.
 */
export async function measureThroughput(bench: Bench, names: readonly WorkloadName[]): Promise<Table[]> {
  const workloads = createWorkloads(bench.apiKey, bench.pets);
  const rates = { uncached: new Measurements(), cached: new Measurements() };
  const processorTimes = { uncached: new Measurements(), cached: new Measurements() };
  await inRounds(bench, 'Throughput', async (peer, server, file) => {
    for (const name of names) {
      const before = countPets(file);
      const result = await runWorkload(bench, server, workloads[name]);
      assertDurable(peer.name, countPets(file) - before, result.responses, CREATIONS[name]);
      const { group, heading } = columnOf(name);
      rates[group].add(peer.name, heading, result.requestsPerSecond);
      if (result.processorMicroseconds !== undefined)
        processorTimes[group].add(peer.name, heading, result.processorMicroseconds);
    }
    await checkResponses(server.petsUrl, bench.apiKey, bench.pets);
  });
  const details = `over ${formatCount(bench.pets)} pets (${generatorName}, ${bench.connections} connections)`;
  return (['uncached', 'cached'] as const)
    .filter((group) => names.some((name) => columnOf(name).group === group))
    .flatMap((group) => {
      const rate = rates[group].of(bench.peers);
      const table = compare(`Requests a second, ${group}, ${details}`, rate, 'more is better', formatCount);
      if (!hasUsage) return [table];
      const time = processorTimes[group].of(bench.peers);
      const title = `Microseconds of processor time for each request, ${group}`;
      return [table, compare(title, time, 'less is better', formatCount)];
    });
}

const columnOf = (name: WorkloadName) =>
  name in UNCACHED
    ? { group: 'uncached' as const, heading: { ...UNCACHED, ...CACHED }[name] }
    : { group: 'cached' as const, heading: { ...UNCACHED, ...CACHED }[name] };

/** @throws Error when the database has fewer new pets than were acknowledged */
function assertDurable(server: string, added: number, responses: number, share: number): void {
  const expected = responses * share;
  if (added < expected - DEVIATIONS * Math.sqrt(expected * (1 - share))) {
    throw new Error(`${server} acknowledged about ${Math.round(expected)} pets, but stored ${added}`);
  }
}
