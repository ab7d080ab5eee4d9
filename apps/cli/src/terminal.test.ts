import { expect, test } from 'vitest';
import { formatDuration } from './terminal.ts';

test.each([
  [1, '1 s'],
  [120_000, '120 s'],
  [120_001, '3 min'],
  [7_200_000, '120 min'],
  [7_200_001, '3 h'],
])('formatDuration writes %i ms as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
