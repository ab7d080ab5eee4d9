import type { Bench } from '../bench.ts';
import { checkResponses } from '../check-responses.ts';
import { countPets } from '../data/seed.ts';
import { generatorName } from '../load/generator.ts';
import { CACHED, CREATIONS, createWorkloads, UNCACHED, type WorkloadName } from '../load/workloads.ts';
import { compare, Measurements } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { inRounds } from './in-rounds.ts';
import { runWorkload } from './run-workload.ts';

/** Creations are a random part of a mix. Six standard deviations below their share do not come by chance. */
const DEVIATIONS = 6;

const TITLES = { uncached: 'Uncached', cached: 'Cached' };

/** Requests a second of each server: a table for what no cache helps, and one for what a cache may help. */
export async function measureThroughput(bench: Bench, names: readonly WorkloadName[]): Promise<Table[]> {
  const workloads = createWorkloads(bench.apiKey, bench.pets);
  const measurements = { uncached: new Measurements(), cached: new Measurements() };
  await inRounds(bench, 'Throughput', async (peer, server, file) => {
    for (const name of names) {
      const before = countPets(file);
      const { requestsPerSecond, responses } = await runWorkload(bench, server.port, workloads[name]);
      assertDurable(peer.name, countPets(file) - before, responses, CREATIONS[name]);
      const { group, heading } = columnOf(name);
      measurements[group].add(peer.name, heading, requestsPerSecond);
    }
    await checkResponses(server.petsUrl, bench.apiKey, bench.pets);
  });
  const details = `requests a second over ${formatCount(bench.pets)} pets (${generatorName}, ${bench.connections} connections)`;
  return (['uncached', 'cached'] as const)
    .filter((group) => names.some((name) => columnOf(name).group === group))
    .map((group) =>
      compare(
        `${TITLES[group]}: ${details}`,
        measurements[group].of(bench.peers),
        'more is better',
        formatCount,
      ),
    );
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
