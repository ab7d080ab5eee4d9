import type { Bench } from '../bench.ts';
import { checkAnswers } from '../check.ts';
import { countAnimals } from '../data/seed.ts';
import { generatorName } from '../load/generator.ts';
import { type Operation, requestsOf, TITLES } from '../load/operations.ts';
import { PEERS } from '../peers.ts';
import { Collection, compare } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { loadAfterWarmUp } from './load.ts';
import { inRounds } from './rounds.ts';

/** Requests a second of each server, operation by operation. */
export async function measureThroughput(bench: Bench, operations: readonly Operation[]): Promise<Table> {
  const requests = requestsOf(bench.apiKey, bench.count);
  const collection = new Collection();
  await inRounds(bench, 'Throughput', async (peer, server, file) => {
    for (const operation of operations) {
      const before = countAnimals(file);
      const { requestsPerSecond, answered } = await loadAfterWarmUp(bench, server.port, requests[operation]);
      if (operation === 'create' && countAnimals(file) - before < answered) {
        throw new Error(`${peer.name} acknowledged ${answered} animals, but kept fewer`);
      }
      collection.add(peer.name, TITLES[operation], requestsPerSecond);
    }
    await checkAnswers(server.pets, bench.apiKey, bench.count);
  });
  return compare(
    `Requests a second (${generatorName}, ${bench.connections} connections)`,
    collection.of(PEERS.map(({ name }) => name)),
    'more is better',
    formatCount,
  );
}
