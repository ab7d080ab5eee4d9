import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeInteger } from '../json/json.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

const cursor = fc.record({
  after: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(normalizeInteger),
  status: fc.constantFrom('available' as const, 'pending' as const, 'sold' as const, undefined),
});
const encode = (text: string) => Buffer.from(text).toString('base64url');

test('decodeCursor returns what encodeCursor was given', () => {
  fc.assert(
    fc.property(cursor, (value) => {
      expect(encodeCursor(value)).toMatch(/^[\w-]+$/);
      expect(decodeCursor(encodeCursor(value))).toEqual(value);
    }),
  );
});

test('decodeCursor accepts only the notation that encodeCursor writes', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const value = decodeCursor(text);
      expect(value === undefined || encodeCursor(value) === text).toBe(true);
    }),
  );
});

test.each([
  ['text that is not base64url', '%%%'],
  ['a cursor with padding', `${btoa('20')}`],
  ['a cursor without an id', encode(',sold')],
  ['an id with leading zeros', encode('007')],
  ['an id beyond int64', encode('9223372036854775808')],
  ['an unknown status', encode('20,lost')],
  ['a third part after the status', encode('20,sold,1')],
  ['a cursor that is not UTF-8', 'gICA'],
])('%s is refused', (_what, text) => {
  expect(decodeCursor(text)).toBeUndefined();
});
