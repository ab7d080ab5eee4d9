import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeInteger } from '../json/json.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { PetStatus } from './pet.ts';

const cursor = fc.record({
  after: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(normalizeInteger),
  status: fc.constantFrom(...PetStatus.options, undefined),
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

// Without the fault in its name, each would be accepted: MjA is the cursor after the id 20.
test.each([
  ['a character that is not base64', 'MjA%'],
  ['padding', 'MjA='],
  ['a space, which base64 decoders ignore', 'Mj A'],
  ['unused bits that are not zero', 'MjB'],
  ['no id', encode(',sold')],
  ['an id with a sign', encode('+20')],
  ['the id 2^63', encode('9223372036854775808')],
  ['an unknown status', encode('20,lost')],
])('a cursor with %s is refused', (_what, text) => {
  expect(decodeCursor(text)).toBeUndefined();
});
