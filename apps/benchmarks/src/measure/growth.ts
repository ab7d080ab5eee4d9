import { deepStrictEqual } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { encodeCursor } from '@petstore/contract';
import type { Bench } from '../bench.ts';
import { petWithId, type Status } from '../data/pets.ts';
import { seedSqlite } from '../data/seed.ts';
import { createRequests, type Workload } from '../load/template.ts';
import { get } from '../load/workloads.ts';
import { OURS } from '../peers.ts';
import { hasUsage, memoryOf } from '../process-usage.ts';
import { Measurements } from '../report/comparison.ts';
import { median, spread } from '../report/statistics.ts';
import { formatCount, formatPercent, formatRatio, type Table } from '../report/table.ts';
import { startServer } from '../start-server.ts';
import { runWorkload } from './run-workload.ts';

const SIZES = [10_000, 1_000_000];
const LARGE = 10_000_000;
const RARE = 30;
const DEEP_PAGES = 1_000;
const MEMORY = 'memory, MB';

const PAGES = ['first page', 'deep page', 'rare status'] as const;
type Page = (typeof PAGES)[number];

/** Few pets are sold, spread over the whole catalogue, and as many at every size. */
const statusAt = (size: number) => {
  const distance = Math.floor(size / RARE);
  return (id: number): Status => (id % distance === 0 ? 'sold' : id % 2 === 0 ? 'available' : 'pending');
};

/** The id after which each of the deep pages begins. */
const deepIds = (size: number) =>
  Array.from(
    { length: DEEP_PAGES },
    (_, index) => Math.floor(size / 2) + Math.floor((index * size) / (3 * DEEP_PAGES)),
  );

function createWorkloads(apiKey: string, size: number): Record<Page, Workload> {
  const of = (...queries: string[]): Workload => ({
    // A serial number makes the URL new for the cache, so that every page is read from the database.
    templates: queries.map((query) => ({ weight: 1, ...get(`/pets?${query}n={serial}`, apiKey) })),
    ids: size,
  });
  return {
    'first page': of(''),
    'deep page': of(...deepIds(size).map((after) => `cursor=${encodeCursor({ after })}&`)),
    'rare status': of('status=sold&'),
  };
}

/** Requests a second of our server as the catalogue grows, and the cost relative to the smallest one. */
export async function measureGrowth(bench: Bench): Promise<Table> {
  const sizes = bench.large ? [...SIZES, LARGE] : SIZES;
  const files = sizes.map((size) => {
    bench.report(`Growth: adding ${formatCount(size)} pets`);
    const file = bench.file(`growth-${size}.db`);
    const statusOf = statusAt(size);
    return { size, file, apiKey: seedSqlite(file, size, (id) => petWithId(id, statusOf(id))) };
  });
  const measurements = new Measurements();
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const { size, file, apiKey } of round % 2 === 1 ? files : files.toReversed()) {
      bench.report(`Growth, round ${round} of ${bench.rounds}: ${formatCount(size)} pets`);
      await using server = await startServer(OURS, file);
      await checkPages(server.petsUrl, apiKey, size);
      const workloads = createWorkloads(apiKey, size);
      for (const page of PAGES) {
        const { requestsPerSecond } = await runWorkload(bench, server, workloads[page]);
        measurements.add(nameOf(size), page, requestsPerSecond);
      }
      if (hasUsage) measurements.add(nameOf(size), MEMORY, memoryOf(server.pid, 'VmHWM'));
    }
  }
  for (const { file } of files) rmSync(file);
  return tableOf(measurements, sizes);
}

const nameOf = (size: number) => `${formatCount(size)} pets`;

/** @throws AssertionError when a page is not what the database holds */
async function checkPages(petsUrl: string, apiKey: string, size: number): Promise<void> {
  const distance = Math.floor(size / RARE);
  const [firstDeepId = 0] = deepIds(size);
  const idsOf: Record<Page, (index: number) => number> = {
    'first page': (index) => index + 1,
    'deep page': (index) => firstDeepId + index + 1,
    'rare status': (index) => (index + 1) * distance,
  };
  const workloads = createWorkloads(apiKey, size);
  for (const page of PAGES) {
    const { templates, ids } = workloads[page];
    const { path, headers } = createRequests({ templates: templates.slice(0, 1), ids })();
    const response = await fetch(new URL(path, petsUrl), { headers });
    const expected = Array.from({ length: 20 }, (_, index) => {
      const id = idsOf[page](index);
      return petWithId(id, statusAt(size)(id));
    });
    deepStrictEqual(await response.json(), expected);
  }
}

function tableOf(measurements: Measurements, sizes: readonly number[]): Table {
  const rows = measurements.of(sizes.map((size) => ({ name: nameOf(size) })));
  const [smallest] = rows;
  const of = (values: ReadonlyMap<string, number[]> | undefined, heading: string) =>
    values?.get(heading) ?? [];
  return {
    title: 'Growth: requests a second of our server, uncached, and cost relative to the smallest catalogue',
    columns: ['', ...PAGES.flatMap((page) => [page, 'cost', 'spread']), MEMORY],
    rows: rows.map(({ name, values }) => [
      name,
      ...PAGES.flatMap((page) => {
        const figures = of(values, page);
        const cost = median(of(smallest?.values, page)) / median(figures);
        return [formatCount(median(figures)), formatRatio(cost), formatPercent(spread(figures))];
      }),
      values.has(MEMORY) ? formatCount(median(of(values, MEMORY))) : '-',
    ]),
  };
}
