import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { normalizeInteger, parseJson, stringifyJson } from './json.ts';

const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const fraction = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((number) => !Number.isInteger(number));

/** Any JSON value, with integers of any size in the form that parseJson returns. */
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: 'binary' }),
    integer.map(normalizeInteger),
    fraction,
    fc.array(tie('json')),
    fc.dictionary(fc.string(), tie('json'), { noNullPrototype: true }),
  ),
}));

describe('parseJson', () => {
  test('returns the value that stringifyJson was given', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseJson(stringifyJson(value))).toStrictEqual(value);
      }),
    );
  });

  test('parses an integer exactly in each notation that JSON has for it', () => {
    const zeros = fc.nat(30).map((count) => '0'.repeat(count));
    fc.assert(
      fc.property(integer, zeros, fc.constantFrom('e', 'E', 'e+', 'E+'), (value, pad, e) => {
        const exact = normalizeInteger(value);
        const [, sign = '', first = '', rest = ''] = /^(-?)(\d)(\d*)$/.exec(`${value}`) ?? [];
        // For 120 and the zeros 00: 120, 120.000, 12000e-2, 1.20000e2 and 120e0.
        for (const text of [
          `${value}`,
          `${value}.0${pad}`,
          // JSON does not allow 00, so zero is not padded.
          value === 0n ? '0' : `${value}${pad}${e.charAt(0)}-${pad.length}`,
          `${sign}${first}.${rest}${pad}0${e}${rest.length}`,
          `${value}${e}0`,
        ])
          expect(parseJson(text), text).toBe(exact);
      }),
    );
  });

  test.each([
    ['-0', 0],
    ['-0.0e5', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['12E17', 1200000000000000000n],
    ['1e400', Number.POSITIVE_INFINITY], // Beyond the range of a double.
  ])('parses %s as %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each(['0.99999999999999999', '1.00000000000000000001', '9007199254740992.5', '1e-400', '15E-1000'])(
    'returns NaN for the fraction %s, which a double cannot tell from an integer',
    (text) => {
      expect(parseJson(`[${text}]`)).toEqual([Number.NaN]);
    },
  );

  test('does not change digits in strings and member names, and makes __proto__ an ordinary member', () => {
    const text = '{"12345678901234567890":"98765432109876543210","1e5":" 1e5","\\"1e5\\" :":"\\u00201e5"}';
    expect(parseJson(text)).toStrictEqual(JSON.parse(text));
    const value = parseJson('{"__proto__":{"polluted":12345678901234567890}}');
    expect(Object.keys(Object(value))).toEqual(['__proto__']);
    expect(value).not.toHaveProperty('polluted');
  });

  const malformed = ['', '{', '[1,]', '01', '1.', '+1', 'NaN', "'a'", '12345678901234567890n', '{"a":1e}'];
  test.each(malformed)('refuses %o, which is not JSON', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('parses a number of ten million characters in less than two seconds, in every notation', () => {
    const zeros = '0'.repeat(10_000_000);
    const start = process.cpuUsage();
    expect(parseJson('9'.repeat(10_000_000))).toBe(Number.POSITIVE_INFINITY);
    expect(parseJson(`5${zeros}e-10000000`)).toBe(5);
    expect(parseJson(`0.${zeros}5e10000001`)).toBe(5);
    expect(parseJson(`1.${zeros}1`)).toBeNaN();
    expect(process.cpuUsage(start).user, 'microseconds of processor time').toBeLessThan(2_000_000);
  });

  test('reads the member names correctly after a text of the same form with other names', () => {
    // Texts for which V8 returned wrong names: https://github.com/nodejs/node/issues/63785
    parseJson('{"h":[],"\\\\":0}');
    expect(Object.keys(Object(parseJson('{"h":1,"\\"":2}')))).toEqual(['h', '"']);
  });
});

describe('stringifyJson', () => {
  test('writes a bigint as a number even if the app has defined BigInt.prototype.toJSON', () => {
    Object.defineProperty(BigInt.prototype, 'toJSON', { configurable: true, value: () => 'a string' });
    onTestFinished(() => void Reflect.deleteProperty(BigInt.prototype, 'toJSON'));
    expect(stringifyJson({ id: 9007199254740993n })).toBe('{"id":9007199254740993}');
  });

  test.each([undefined, () => {}])('throws for %s, which JSON cannot hold', (value) => {
    expect(() => stringifyJson(value)).toThrow(TypeError);
  });

  test('writes values other than a bigint as JSON.stringify does, also beside a bigint', () => {
    const value = { name: 'Ñandú 🦤', at: new Date(0), left: undefined, list: [undefined, -0, 1e21] };
    expect(stringifyJson(value)).toBe(JSON.stringify(value));
    expect(stringifyJson([value, 2n ** 60n])).toBe(`[${JSON.stringify(value)},1152921504606846976]`);
  });

  test('throws for a bigint in a runtime without JSON.rawJSON', () => {
    const rawJson = Object.getOwnPropertyDescriptor(JSON, 'rawJSON') ?? {};
    Reflect.deleteProperty(JSON, 'rawJSON');
    onTestFinished(() => void Object.defineProperty(JSON, 'rawJSON', rawJson));
    expect(() => stringifyJson([2n ** 60n])).toThrow(TypeError);
    expect(stringifyJson([1])).toBe('[1]');
  });
});
