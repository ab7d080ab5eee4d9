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

test('a cursor has one notation', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const value = decodeCursor(text);
      expect(value === undefined || encodeCursor(value) === text).toBe(true);
    }),
  );
});

test.each([
  ['no base64', '%%%'],
  ['padding', `${btoa('20')}`],
  ['no id', encode(',sold')],
  ['an id with leading zeros', encode('007')],
  ['an id beyond int64', encode('9223372036854775808')],
  ['a status that there is not', encode('20,lost')],
  ['something behind the status', encode('20,sold,1')],
  ['bytes that are no text', 'gICA'],
])('%s is no cursor', (_what, text) => {
  expect(decodeCursor(text)).toBeUndefined();
});
