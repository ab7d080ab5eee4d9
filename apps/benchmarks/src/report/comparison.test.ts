import { expect, test } from 'vitest';
import { compare, Measurements } from './comparison.ts';
import { formatTable } from './table.ts';

const measurements = new Measurements();
for (const value of [190, 200, 230]) measurements.add('ours', 'list', value);
for (const value of [100, 110, 90]) measurements.add('theirs', 'list', value);
const servers = measurements.of([{ name: 'ours' }, { name: 'theirs' }]);

test('a table tells medians, how many times as good ours is, and the spread', () => {
  const table = compare('Requests', servers, 'more is better', String);
  expect(formatTable(table)).toBe(
    [
      '## Requests',
      '',
      '|        | list | ours is | spread |',
      '| ------ | ---: | ------: | -----: |',
      '| ours   |  200 |   1.00× |   20 % |',
      '| theirs |  100 |   2.00× |   20 % |',
    ].join('\n'),
  );
});

test('where less is better, half as much is twice as good', () => {
  const { rows } = compare('Milliseconds', servers.toReversed(), 'less is better', String);
  expect(rows.map(([name, , ratio]) => [name, ratio])).toEqual([
    ['theirs', '1.00×'],
    ['ours', '2.00×'],
  ]);
});
