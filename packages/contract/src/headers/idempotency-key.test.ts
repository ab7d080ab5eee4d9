import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdempotencyKey, parseIdempotencyKey } from './idempotency-key.ts';

const visible = fc.stringMatching(/^[!-~]{1,255}$/, { size: 'max' });

test('a key has the same value with and without quotes', () => {
  fc.assert(
    fc.property(visible, (key) => {
      expect(parseIdempotencyKey(`"${key.replaceAll(/["\\]/g, '\\$&')}"`)).toBe(key);
      if (!key.startsWith('"')) expect(parseIdempotencyKey(key)).toBe(key);
    }),
  );
});

// The conformance suite tries further values.
test.each([
  ['a lone quote', '"'],
  ['a parameter after the closing quote', '"abc";a=1'],
  ['a backslash before a letter', '"a\\b"'],
  ['a tab', 'a\tb'],
  ['a line break at the end', 'abc\n'],
  ['letters beyond ASCII', 'ñandú'],
  ['256 quoted characters', `"${'x'.repeat(256)}"`],
])('%s is refused', (_what, header) => {
  expect(parseIdempotencyKey(header)).toBeUndefined();
  expect(IdempotencyKey.safeParse(header).success).toBe(false);
});
