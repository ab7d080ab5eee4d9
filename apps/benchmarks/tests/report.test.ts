import { expect, test } from 'vitest';
import { Figures } from '../src/report.ts';

function figuresOf(columns: Record<string, number[]>, options = { isLessBetter: false }): Figures {
  const figures = new Figures('Speed', options);
  for (const [server, values] of Object.entries(columns)) {
    for (const value of values) figures.add(server, 'list', value);
  }
  return figures;
}

test('a table shows medians, how many times better the first server is, and the largest spread', () => {
  const figures = figuresOf({ ours: [1950, 2000, 2130], theirs: [100, 90, 110] });

  expect(figures.format().split('\n')).toEqual([
    '| Speed | list |',
    '| --- | ---: |',
    '| ours | 2,000 |',
    '| theirs | 100 (20.00×) |',
    '| *spread, at most* | 20 % |',
  ]);
});

test('where less is better, half as much is twice as good', () => {
  expect(figuresOf({ ours: [50], theirs: [100] }, { isLessBetter: true }).format()).toContain(
    '| theirs | 100 (2.00×) |',
  );
});
