import type { PostgresServer } from '@petstore/test-support/databases/postgres-server';
import type { Bench } from '../bench.ts';
import { onAllCores } from '../cores.ts';
import { observeProcessorSeconds, startDurablePostgres } from '../data/postgres.ts';
import { seedPostgres } from '../data/seed.ts';
import type { Workload } from '../load/template.ts';
import { createWorkloads, get } from '../load/workloads.ts';
import { OURS } from '../peers.ts';
import { hasUsage } from '../process-usage.ts';
import { Measurements } from '../report/comparison.ts';
import { median } from '../report/statistics.ts';
import { formatCount, type Table } from '../report/table.ts';
import { startServer } from '../start-server.ts';
import { runWorkload } from './run-workload.ts';

const SERVER = 'server';
const ALONE = 'PostgreSQL';
const STALE = 'PostgreSQL, stale by 100 ms';
const PRIMARY = 'primary of 2 standbys';
const STANDBYS = 'both standbys';
const HEADINGS = [SERVER, ALONE, STALE, PRIMARY, STANDBYS];

/** What is asked for, and over how many connections: those of one caller are a quiet server. */
interface Request {
  name: string;
  workload: Workload;
  connections: number;
}

function createRequests({ connections }: Bench, apiKey: string, count: number): Request[] {
  const workloads = createWorkloads(apiKey, count);
  const long: Workload = {
    templates: [{ weight: 1, ...get('/pets?limit=100&n={serial}', apiKey) }],
    ids: count,
  };
  return [
    { name: 'list, cached, busy server', workload: workloads['cached-list'], connections },
    { name: 'list, cached, one caller', workload: workloads['cached-list'], connections: 1 },
    { name: 'list of 20, uncached', workload: workloads.list, connections },
    { name: 'list of 100, uncached', workload: long, connections },
    { name: 'single pet, uncached', workload: workloads.get, connections },
    { name: 'creation', workload: workloads.create, connections },
  ];
}

/** Processor time of each side for each request, without standbys, with two, and with a bounded staleness. */
export async function measurePostgresCost(bench: Bench): Promise<Table | string> {
  if (!hasUsage) return 'Costs of PostgreSQL: skipped, this system has no /proc.';
  bench.report('Costs of PostgreSQL: starting');
  await using primary = await startDurablePostgres();
  const apiKey = await seedPostgres(primary.url, bench.pets);
  await using first = await onAllCores(() => primary.startStandby());
  await using second = await onAllCores(() => primary.startStandby());
  const standbys = [first, second];
  const start = (name: string, environment: Record<string, string> = {}) =>
    startServer(OURS, bench.file(name), { DATABASE_URL: primary.url, ...environment });
  await using alone = await start('alone');
  await using stale = await start('stale', { CACHE_MAX_STALENESS_MS: '100' });
  await using spread = await start('spread', {
    DATABASE_REPLICA_URLS: standbys.map(({ url }) => url).join(),
  });

  const secondsOf = await observe(primary, standbys);
  const measurements = new Measurements();
  const requests = createRequests(bench, apiKey, bench.pets);
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const { name, workload, connections } of requests) {
      bench.report(`Costs of PostgreSQL, round ${round} of ${bench.rounds}: ${name}`);
      const options = { ...bench, connections, warmUp: connections === 1 ? 1_000 : bench.warmUp };
      for (const [server, heading] of [
        [alone, ALONE],
        [stale, STALE],
        [spread, PRIMARY],
      ] as const) {
        const before = secondsOf();
        const { responses, processorMicroseconds = 0 } = await runWorkload(options, server, workload);
        const after = secondsOf();
        const perResponse = (seconds: number) => (seconds * 1_000_000) / responses;
        if (heading === ALONE) measurements.add(name, SERVER, processorMicroseconds);
        measurements.add(name, heading, perResponse(after.primary - before.primary));
        if (heading === PRIMARY)
          measurements.add(name, STANDBYS, perResponse(after.standbys - before.standbys));
      }
    }
  }
  return {
    title: `PostgreSQL: microseconds of processor time for each request over ${formatCount(bench.pets)} pets`,
    columns: ['', ...HEADINGS],
    rows: measurements
      .of(requests)
      .map(({ name, values }) => [
        name,
        ...HEADINGS.map((heading) => formatCount(median(values.get(heading) ?? []))),
      ]),
  };
}

async function observe(primary: PostgresServer, standbys: readonly PostgresServer[]) {
  const ofPrimary = await observeProcessorSeconds(primary);
  const ofStandbys = await Promise.all(standbys.map(observeProcessorSeconds));
  return () => ({
    primary: ofPrimary(),
    standbys: ofStandbys.reduce((sum, secondsOf) => sum + secondsOf(), 0),
  });
}
