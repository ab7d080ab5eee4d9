import { expect, test } from 'vitest';
import { Figures } from '../src/report.ts';

test('a table shows medians, how many times better the first server is, and the largest spread', () => {
  const figures = new Figures('Speed');
  for (const value of [1950, 2000, 2130]) figures.add('ours', 'list', value);
  for (const value of [100, 90, 110]) figures.add('theirs', 'list', value);

  expect(figures.format().split('\n')).toEqual([
    '| Speed | list |',
    '| --- | ---: |',
    '| ours | 2,000 |',
    '| theirs | 100 (20.00×) |',
    '| *spread, at most* | 20 % |',
  ]);
  const times = new Figures('Start', { isLessBetter: true });
  times.add('ours', 'ms', 50);
  times.add('theirs', 'ms', 100);
  expect(times.format()).toContain('| theirs | 100 (2.00×) |');
});
