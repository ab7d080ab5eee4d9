import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findIJsonFault } from './i-json.ts';

test.each([
  ['{"a":{"b":1,"c":2,"b":3}}', 'has the member "b" twice'],
  ['[{"a":1},{"a":1,"\\u0061":2}]', 'has the member "a" twice'],
  ['{ "__proto__" : 1 }', 'has a member __proto__'],
  ['{ "\\u005f_proto__" : 1 }', 'has a member __proto__'],
  ['['.repeat(33) + ']'.repeat(33), 'is nested deeper than 32 levels'],
])('findIJsonFault reports that %s %s', (text, fault) => {
  expect(findIJsonFault(text)).toBe(fault);
});

test.each([
  '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
  '{"a":"a\\":1,\\"a","b":"{[","c":"}"}',
  '{"a":"a","b":"a"}',
  '"__proto__"',
  '{"a":"\\\\","b":1}',
  '['.repeat(32) + ']'.repeat(32),
])('findIJsonFault accepts %s, which all JSON parsers read alike', (text) => {
  expect(findIJsonFault(text)).toBe(undefined);
});

const object = fc.dictionary(
  fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__'),
  fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
  { minKeys: 1, noNullPrototype: true },
);

test('findIJsonFault accepts the output of JSON.stringify, but not with a repeated member', () => {
  fc.assert(
    fc.property(object, fc.nat(), (value, index) => {
      const text = JSON.stringify(value);
      const name = JSON.stringify(Object.keys(value).at(index % Object.keys(value).length));
      expect(findIJsonFault(text)).toBe(undefined);
      expect(findIJsonFault(`{${name}:0,${text.slice(1)}`)).toMatch(/^has the member .* twice$/s);
    }),
  );
});
