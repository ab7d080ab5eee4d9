import { encodeCursor } from '@petstore/contract';
import type { PostgresServer } from '@petstore/test-support/databases/postgres-server';
import type { Bench } from '../bench.ts';
import { checkResponses } from '../check-responses.ts';
import { observeProcessorSeconds, startDurablePostgres } from '../data/postgres.ts';
import { seedPostgres } from '../data/seed.ts';
import type { Workload } from '../load/template.ts';
import { createWorkloads, get } from '../load/workloads.ts';
import { OURS } from '../peers.ts';
import { hasUsage } from '../process-usage.ts';
import { median } from '../report/statistics.ts';
import { formatCount, type Table } from '../report/table.ts';
import { startServer } from '../start-server.ts';
import { runWorkload } from './run-workload.ts';

const SIZES = [1_000_000];
const LARGE = [10_000_000, 50_000_000];

const PAGES = ['first page', 'deep page', 'single pet', 'creation'] as const;

function workloadsOf(apiKey: string, size: number): Record<(typeof PAGES)[number], Workload> {
  const { list, get: single, create } = createWorkloads(apiKey, size);
  const deepPages = Array.from({ length: 1_000 }, (_, index) => {
    const cursor = encodeCursor({ after: Math.floor(size / 2) + Math.floor((index * size) / 3_000) });
    return { weight: 1, ...get(`/pets?cursor=${cursor}&n={serial}`, apiKey) };
  });
  return {
    'first page': list,
    'deep page': { templates: deepPages, ids: size },
    'single pet': single,
    creation: create,
  };
}

/** Disk of PostgreSQL and its processor time for each request, uncached, as the catalogue grows. */
export async function measurePostgresGrowth(bench: Bench): Promise<Table | string> {
  if (!hasUsage) return 'Growth on PostgreSQL: skipped, this system has no /proc.';
  const rows: string[][] = [];
  for (const size of bench.large ? [...SIZES, ...LARGE] : SIZES) rows.push(await measureSize(bench, size));
  return {
    title: 'Growth on PostgreSQL: bytes a pet, and microseconds of its processor time for each request',
    columns: ['pets', 'table', 'indexes', ...PAGES],
    rows,
  };
}

async function measureSize(bench: Bench, size: number): Promise<string[]> {
  bench.report(`Growth on PostgreSQL: adding ${formatCount(size)} pets`);
  await using postgres = await startDurablePostgres();
  const apiKey = await seedPostgres(postgres.url, size);
  const bytes = await bytesOfAPet(postgres, size);
  await using server = await startServer(OURS, bench.file(`growth-${size}`), { DATABASE_URL: postgres.url });
  await checkResponses(server.petsUrl, apiKey, size);
  const secondsOf = await observeProcessorSeconds(postgres);
  const workloads = workloadsOf(apiKey, size);
  const costs: string[] = [];
  for (const page of PAGES) {
    bench.report(`Growth on PostgreSQL, ${formatCount(size)} pets: ${page}`);
    const rounds: number[] = [];
    for (let round = 1; round <= bench.rounds; round += 1) {
      const before = secondsOf();
      const { responses } = await runWorkload(bench, server, workloads[page]);
      rounds.push(((secondsOf() - before) * 1_000_000) / responses);
    }
    costs.push(formatCount(median(rounds)));
  }
  return [formatCount(size), ...bytes, ...costs];
}

async function bytesOfAPet(postgres: PostgresServer, size: number): Promise<string[]> {
  const [row] = await postgres.query(
    "select pg_table_size('pets') as table, pg_indexes_size('pets') as indexes",
  );
  return [row?.table, row?.indexes].map((bytes) => formatCount(Number(bytes) / size));
}
