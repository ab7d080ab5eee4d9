import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeInteger } from './json/json.ts';
import { Int64, idParameter, parseInt64 } from './values.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

describe('Int64', () => {
  const accepted = [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2n ** 53n, MIN, MAX];
  test.each(accepted)('accepts %s unchanged', (value) => {
    expect(Int64.parse(value)).toBe(value);
  });

  const refused = [2 ** 53, 1.5, Number.NaN, MIN - 1n, MAX + 1n, '5', true, null, undefined];
  test.each(refused)('refuses %o', (value) => {
    expect(Int64.safeParse(value).success).toBe(false);
  });
});

test.each(['abc', `${MAX + 1n}`, ''])('an id parameter of %o is wrong, and not missing', (text) => {
  const { error } = idParameter('Identifier').safeParse(text);
  expect(error?.issues[0]?.message).toBe('must be an integer from -2^63 to 2^63 - 1');
});

describe('parseInt64', () => {
  test('parses every int64 in canonical notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: MIN, max: MAX }), (value) => {
        expect(parseInt64(`${value}`)).toBe(normalizeInteger(value));
      }),
      { examples: [[MIN], [MAX]] },
    );
  });

  test('refuses integers beyond int64', () => {
    const texts = [`${MAX + 1n}`, `${MIN - 1n}`, '9'.repeat(1_000_000)];
    expect(texts.map(parseInt64)).toEqual([undefined, undefined, undefined]);
  });

  const wrong = ['', '-', '-0', '00', '01', '+5', ' 5', '5\n', '1.0', '1e1', '0x10', '1_0', '5n', '٣', 'abc'];
  test.each(wrong)('refuses %o, which is not canonical', (text) => {
    expect(parseInt64(text)).toBeUndefined();
  });
});
