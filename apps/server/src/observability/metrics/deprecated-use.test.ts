import { expect, test } from 'vitest';
import { DeprecatedUse } from './deprecated-use.ts';

const HOUR = 60 * 60 * 1000;

test('a key that was not used for a day is dropped, and counted anew when it is used again', () => {
  const deprecated = new DeprecatedUse();
  const read = (now: number) => deprecated.read(now).map(({ key, count }) => `${key} ${count}`);
  deprecated.count('/a', 'shop');
  deprecated.count('/a', 'office');
  deprecated.count('/a', 'office');
  expect(read(0)).toEqual(['shop 1', 'office 2']);
  deprecated.count('/a', 'office');
  expect(read(20 * HOUR)).toEqual(['shop 1', 'office 3']);
  expect(read(25 * HOUR)).toEqual(['office 3']);
  deprecated.count('/a', 'shop');
  expect(read(26 * HOUR)).toEqual(['office 3', 'shop 1']);
});
