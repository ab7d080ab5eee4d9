import { expect, test } from 'vitest';
import { median, spread } from './statistics.ts';

test.each([
  [[3], 3],
  [[30, 1, 2], 2],
  [[4, 1, 2, 10], 3],
])('the median of %j is %s', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test('there is no median of nothing', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('the spread is the distance from the lowest to the highest, as a part of the median', () => {
  expect(spread([90, 100, 120])).toBeCloseTo(0.3);
});
