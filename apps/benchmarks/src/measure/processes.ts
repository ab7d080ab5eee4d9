import type { Bench } from '../bench.ts';
import { arePinned, onAllCores, onSameCores } from '../cores.ts';
import { startDurablePostgres } from '../data/postgres.ts';
import { seedPostgres } from '../data/seed.ts';
import { sendRequests } from '../load/autocannon.ts';
import { generate } from '../load/generator.ts';
import type { Workload } from '../load/template.ts';
import { createWorkloads, UNCACHED } from '../load/workloads.ts';
import { OURS } from '../peers.ts';
import { Measurements } from '../report/comparison.ts';
import { median } from '../report/statistics.ts';
import { formatCount, formatRatio, type Table } from '../report/table.ts';
import { type RunningServer, startServer } from '../start-server.ts';

/** The processes that serve one database: a server for each entry, with so many workers. */
const SETUPS = {
  'one process': ['1'],
  'WORKERS=2': ['2'],
  'two servers': ['1', '1'],
} as const;

const LOADS = ['list', 'get', 'create'] as const;

interface Place {
  engine: string;
  databaseUrl: string;
  apiKey: string;
}

/**
 * What a second process adds: requests a second of one process, of two workers and of two servers on one database.
 * All may use all cores, the load generator and PostgreSQL too.
 */
export async function measureProcesses(bench: Bench): Promise<Table> {
  await using database = bench.copyDatabase();
  await using postgres = await startDurablePostgres();
  const places: Place[] = [
    { engine: 'SQLite', databaseUrl: `sqlite:${database.file}`, apiKey: bench.apiKey },
    {
      engine: 'PostgreSQL',
      databaseUrl: postgres.url,
      apiKey: await seedPostgres(postgres.url, bench.pets),
    },
  ];
  const measurements = new Measurements();
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const place of places) {
      for (const [setup, workers] of Object.entries(SETUPS)) {
        bench.report(`Processes, round ${round} of ${bench.rounds}: ${setup} on ${place.engine}`);
        await onAllCores(() => measureSetup(bench, place, setup, workers, measurements));
      }
    }
  }
  const cores = arePinned ? 'all cores, the load generator on the same' : 'cores as the system chooses';
  return {
    title: `Requests a second, uncached, of several processes (${cores}), and how many times those of one`,
    columns: ['', '', ...LOADS.map((load) => UNCACHED[load])],
    rows: places.flatMap(({ engine }) => rowsOf(engine, measurements)),
  };
}

async function measureSetup(
  bench: Bench,
  { engine, databaseUrl, apiKey }: Place,
  setup: string,
  workers: readonly string[],
  measurements: Measurements,
): Promise<void> {
  await using servers = new AsyncDisposableStack();
  const running: RunningServer[] = [];
  for (const WORKERS of workers) {
    const environment = { DATABASE_URL: databaseUrl, WORKERS };
    running.push(servers.use(await startServer(OURS, bench.file(setup), environment, onSameCores)));
  }
  const workloads = createWorkloads(apiKey, bench.pets);
  for (const load of LOADS) {
    measurements.add(rowName(engine, setup), load, await rateOf(bench, running, workloads[load]));
  }
}

/** @throws Error when a single request fails */
async function rateOf(
  { connections, seconds, warmUp }: Bench,
  servers: readonly RunningServer[],
  workload: Workload,
): Promise<number> {
  const loads = servers.map(({ port }) => ({ port, workload, connections: connections / servers.length }));
  // Two workers share it.
  for (const load of loads) await sendRequests(load, 2 * warmUp);
  const results = await Promise.all(loads.map((load) => generate(load, seconds)));
  if (results.some(({ failed }) => failed > 0)) throw new Error('Requests failed under load');
  return results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
}

const rowName = (engine: string, setup: string) => `${engine}, ${setup}`;

function rowsOf(engine: string, measurements: Measurements): string[][] {
  const setups = Object.keys(SETUPS);
  const figures = measurements.of(setups.map((setup) => ({ name: rowName(engine, setup) })));
  const medianOf = (index: number, load: string) => median(figures[index]?.values.get(load) ?? []);
  return setups.map((setup, index) => [
    engine,
    setup,
    ...LOADS.map((load) => {
      const rate = medianOf(index, load);
      return `${formatCount(rate)} (${formatRatio(rate / medianOf(0, load))})`;
    }),
  ]);
}
