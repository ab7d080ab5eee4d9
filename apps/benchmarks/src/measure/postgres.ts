import type { Bench } from '../bench.ts';
import { checkResponses } from '../check-responses.ts';
import { startDurablePostgres } from '../data/postgres.ts';
import { seedPostgres } from '../data/seed.ts';
import { hasPgbench, runScripts, type ScriptedName } from '../load/pgbench.ts';
import { createWorkloads, UNCACHED } from '../load/workloads.ts';
import { OURS } from '../peers.ts';
import { compare, Measurements } from '../report/comparison.ts';
import { formatCount, type Table } from '../report/table.ts';
import { startServer } from '../start-server.ts';
import { runWorkload } from './run-workload.ts';

const PGBENCH = { name: 'pgbench, the same statements prepared' };
const WORKLOADS: readonly ScriptedName[] = ['list', 'get', 'mix5', 'mix30'];

/** Requests a second of our server on PostgreSQL, beside what pgbench gets from the same database. */
export async function measurePostgres(bench: Bench): Promise<Table | string> {
  if (!hasPgbench) return 'PostgreSQL: skipped, this machine has no pgbench.';
  bench.report('PostgreSQL: starting');
  await using postgres = await startDurablePostgres();
  const apiKey = await seedPostgres(postgres.url, bench.pets);
  const workloads = createWorkloads(apiKey, bench.pets);
  const measurements = new Measurements();
  await using server = await startServer(OURS, bench.file('ours-on-postgres'), {
    DATABASE_URL: postgres.url,
  });
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.report(`PostgreSQL, round ${round} of ${bench.rounds}`);
    await checkResponses(server.petsUrl, apiKey, bench.pets);
    for (const name of WORKLOADS) {
      const { requestsPerSecond } = await runWorkload(bench, server, workloads[name]);
      measurements.add(OURS.name, UNCACHED[name], requestsPerSecond);
      const transactions = await runScripts(postgres.url, name, { ...bench, count: bench.pets });
      measurements.add(PGBENCH.name, UNCACHED[name], transactions);
    }
  }
  return compare(
    `PostgreSQL, uncached: requests or transactions a second over ${formatCount(bench.pets)} pets (${bench.connections} connections)`,
    measurements.of([OURS, PGBENCH]),
    'more is better',
    formatCount,
  );
}
