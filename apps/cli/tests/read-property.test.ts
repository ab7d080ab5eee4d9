import { expect, test } from 'vitest';
import { type Property, readProperty } from '../src/input/read-property.ts';

test.each<[Property, string, unknown]>([
  ['name', '', ''],
  ['name', '42', '42'],
  ['categoryId', '42', 42],
  ['categoryId', '9223372036854775807', 2n ** 63n - 1n],
  ['categoryId', '042', '042'],
  ['categoryId', '', ''],
  ['status', 'sold', 'sold'],
  ['status', '', undefined],
])('the %s %o of a file or an argument is %o', (name, text, value) => {
  expect(readProperty(name, text)).toBe(value);
});
