import { deepStrictEqual } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { encodeCursor } from '@petstore/contract';
import type { Bench } from '../bench.ts';
import { animal, type Status } from '../data/animals.ts';
import { seedSqlite } from '../data/seed.ts';
import { get as getKept } from '../load/operations.ts';
import type { Request } from '../load/request.ts';
import { OURS } from '../peers.ts';
import { startServer } from '../process.ts';
import { Collection } from '../report/comparison.ts';
import { median, spread } from '../report/statistics.ts';
import { formatCount, formatPercent, formatRatio, type Table } from '../report/table.ts';
import { loadAfterWarmUp } from './load.ts';
import { memoryOf } from './memory.ts';

const SIZES = [10_000, 1_000_000];
const LARGE = 10_000_000;
const RARE = 30;
const DEEP_PAGES = 1_000;
const MEMORY = 'memory, MB';

const PAGES = ['first page', 'deep page', 'rare status'] as const;
type Page = (typeof PAGES)[number];

/** A GET as a page of another origin sends it: such answers are not kept, so that each is read from the database. */
function get(path: string, apiKey: string): Request {
  const request = getKept(path, apiKey);
  return { ...request, headers: { ...request.headers, Origin: 'https://elsewhere.example' } };
}

/** One animal in thousands is sold, wherever in the listing; there are as many of them at every size. */
const statusAt = (size: number) => {
  const distance = Math.floor(size / RARE);
  return (id: number): Status => (id % distance === 0 ? 'sold' : id % 2 === 0 ? 'available' : 'pending');
};

function requestsOf(apiKey: string, size: number): Record<Page, Request[]> {
  const deep = Array.from({ length: DEEP_PAGES }, (_, index) =>
    encodeCursor({ after: Math.floor(size / 2) + Math.floor((index * size) / (3 * DEEP_PAGES)) }),
  );
  return {
    'first page': [get('/pets', apiKey)],
    'deep page': deep.map((cursor) => get(`/pets?cursor=${cursor}`, apiKey)),
    'rare status': [get('/pets?status=sold', apiKey)],
  };
}

/** Requests a second of our server as the catalogue grows, and its cost relative to the smallest one. */
export async function measureGrowth(bench: Bench): Promise<Table> {
  const sizes = bench.large ? [...SIZES, LARGE] : SIZES;
  const files = sizes.map((size) => {
    bench.say(`Growth: adding ${formatCount(size)} animals`);
    const file = bench.file(`growth-${size}.db`);
    const statusOf = statusAt(size);
    return { size, file, apiKey: seedSqlite(file, size, (id) => animal(id, statusOf(id))) };
  });
  const collection = new Collection();
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const { size, file, apiKey } of round % 2 === 1 ? files : files.toReversed()) {
      bench.say(`Growth, round ${round} of ${bench.rounds}: ${formatCount(size)} animals`);
      await using server = await startServer(OURS, file);
      await checkPages(server.pets, apiKey, size);
      const requests = requestsOf(apiKey, size);
      for (const page of PAGES) {
        const { requestsPerSecond } = await loadAfterWarmUp(bench, server.port, requests[page]);
        collection.add(nameOf(size), page, requestsPerSecond);
      }
      if (process.platform === 'linux') collection.add(nameOf(size), MEMORY, memoryOf(server.pid, 'VmHWM'));
    }
  }
  for (const { file } of files) rmSync(file);
  return tableOf(collection, sizes);
}

const nameOf = (size: number) => `${formatCount(size)} animals`;

/** Checks that the first request of each kind gives the page that it should. */
async function checkPages(pets: string, apiKey: string, size: number): Promise<void> {
  const distance = Math.floor(size / RARE);
  const idsOf: Record<Page, (index: number) => number> = {
    'first page': (index) => index + 1,
    'deep page': (index) => Math.floor(size / 2) + index + 1,
    'rare status': (index) => (index + 1) * distance,
  };
  const requests = requestsOf(apiKey, size);
  for (const page of PAGES) {
    const [request] = requests[page];
    if (request === undefined) throw new Error('There is nothing to send');
    const response = await fetch(new URL(request.path, pets), { headers: request.headers });
    const expected = Array.from({ length: 20 }, (_, index) => {
      const id = idsOf[page](index);
      return animal(id, statusAt(size)(id));
    });
    deepStrictEqual(await response.json(), expected);
  }
}

function tableOf(collection: Collection, sizes: readonly number[]): Table {
  const servers = collection.of(sizes.map(nameOf));
  const [smallest] = servers;
  const of = (values: ReadonlyMap<string, number[]> | undefined, heading: string) =>
    values?.get(heading) ?? [];
  return {
    title:
      'Growth: requests a second of our server, and the cost of one as a multiple of the smallest catalogue',
    columns: ['', ...PAGES.flatMap((page) => [page, 'cost', 'spread']), MEMORY],
    rows: servers.map(({ name, values }) => [
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
