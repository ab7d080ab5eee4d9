import type { Bench } from '../bench.ts';
import { checkAnswers } from '../check.ts';
import { onAllCores } from '../cores.ts';
import { startPostgres } from '../data/postgres-server.ts';
import { seedPostgres } from '../data/seed.ts';
import { OPERATIONS, requestsOf, TITLES } from '../load/operations.ts';
import { hasPgbench, pgbench } from '../load/pgbench.ts';
import { OURS } from '../peers.ts';
import { startServer } from '../process.ts';
import { Collection, compare } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { loadAfterWarmUp } from './load.ts';

const BARE = 'pgbench, the same statements prepared';

/** Requests a second of our server on PostgreSQL, beside what pgbench gets out of the same database. */
export async function measurePostgres(bench: Bench): Promise<Table | string> {
  if (!hasPgbench) return 'PostgreSQL: skipped, there is no pgbench on this machine.';
  bench.say('PostgreSQL: starting');
  await using postgres = await onAllCores(startPostgres);
  const apiKey = await seedPostgres(postgres.url, bench.count);
  const requests = requestsOf(apiKey, bench.count);
  const load = { clients: bench.connections, seconds: bench.seconds, count: bench.count };
  const collection = new Collection();
  await using server = await startServer(OURS, bench.file('ours-on-postgres'), {
    DATABASE_URL: postgres.url,
  });
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.say(`PostgreSQL, round ${round} of ${bench.rounds}`);
    await checkAnswers(server.pets, apiKey, bench.count);
    for (const operation of OPERATIONS) {
      const { requestsPerSecond } = await loadAfterWarmUp(bench, server.port, requests[operation]);
      collection.add(OURS.name, TITLES[operation], requestsPerSecond);
      collection.add(BARE, TITLES[operation], await pgbench(postgres.url, operation, load));
    }
  }
  return compare(
    `PostgreSQL: requests, or transactions, a second (${bench.connections} connections)`,
    collection.of([OURS.name, BARE]),
    'more is better',
    formatCount,
  );
}
