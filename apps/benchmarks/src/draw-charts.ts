/** Draws the tables of docs/performance.md as the pictures that it shows: `pnpm --filter @petstore/benchmarks charts`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chartFile, drawChart, readTables } from './report/charts.ts';

const document = new URL('../../../docs/performance.md', import.meta.url);
mkdirSync(new URL('images', document), { recursive: true });
for (const table of readTables(readFileSync(document, 'utf8'))) {
  writeFileSync(new URL(chartFile(table), document), drawChart(table));
}
