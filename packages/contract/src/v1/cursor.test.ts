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

/** Encoded cursors in which one character was replaced or added. Many are still base64 of a number. */
const changed = fc
  .tuple(cursor.map(encodeCursor), fc.nat(), fc.constantFrom(...'AQgwBRhxMDEyNTA=+/-_'))
  .map(([text, index, character]) => {
    const start = index % (text.length + 1);
    return text.slice(0, start) + character + text.slice(start + 1);
  });

test('decodeCursor accepts only the notation that encodeCursor writes', () => {
  const accepted = new Set<string>();
  fc.assert(
    fc.property(changed, (text) => {
      const value = decodeCursor(text);
      if (value === undefined) return;
      expect(encodeCursor(value)).toBe(text);
      accepted.add(text);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted.size).toBeGreaterThan(100);
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
