import type { Bench } from '../bench.ts';
import { fixedRate } from '../load/fixed-rate.ts';
import { OPERATIONS, type Operation, requestsOf, TITLES } from '../load/operations.ts';
import { PEERS } from '../peers.ts';
import { Collection, compare } from '../report/comparison.ts';
import { formatCount, formatMs, type Table } from '../report/table.ts';
import { inRounds } from './rounds.ts';

/** Requests a second: what the slowest of the servers can do with ease. */
const RATES: Record<Operation, number> = { list: 1_000, get: 1_000, create: 300 };

/** How long an answer takes, in milliseconds, at a rate that is the same for every server: a table an operation. */
export async function measureLatency(bench: Bench): Promise<Table[]> {
  const requests = requestsOf(bench.apiKey, bench.count);
  const collections = OPERATIONS.map((operation) => ({ operation, collection: new Collection() }));
  await inRounds(bench, 'Latency', async (peer, server) => {
    for (const { operation, collection } of collections) {
      const load = { ...bench, port: server.port, requests: requests[operation] };
      await fixedRate({ ...load, seconds: 1 }, RATES[operation]);
      const { p50Ms, p99Ms } = await fixedRate(load, RATES[operation]);
      collection.add(peer.name, 'p50', p50Ms);
      collection.add(peer.name, 'p99', p99Ms);
    }
  });
  return collections.map(({ operation, collection }) =>
    compare(
      `Latency of ${TITLES[operation]} at ${formatCount(RATES[operation])} a second, milliseconds`,
      collection.of(PEERS.map(({ name }) => name)),
      'less is better',
      formatMs,
    ),
  );
}
