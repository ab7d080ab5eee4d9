import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chartFile, drawChart, readTables } from '../src/report/charts.ts';

const document = new URL('../../../docs/performance.md', import.meta.url);
const text = readFileSync(document, 'utf8');

test.each(readTables(text))('the page on performance shows a picture of its table "$name"', (table) => {
  expect(text).toContain(`](${chartFile(table)})`);
  // Where this fails: pnpm --filter @petstore/benchmarks charts
  expect(readFileSync(new URL(chartFile(table), document), 'utf8')).toBe(drawChart(table));
});

test('a chart has a bar for each figure, as long as it is great', () => {
  const svg = drawChart({
    name: 'speed',
    columns: ['list'],
    rows: [
      { name: 'ours', figures: ['2,000'] },
      { name: 'a < b', figures: ['500'] },
    ],
  });
  const [, ours, theirs] = Array.from(svg.matchAll(/<rect .*?width="(\d+)"/g), ([, width]) => Number(width));
  expect(Number(ours) / Number(theirs)).toBeCloseTo(4, 1);
  expect(svg).toContain('>2,000</text>');
  expect(svg).toContain('>a &lt; b</text>');
});
