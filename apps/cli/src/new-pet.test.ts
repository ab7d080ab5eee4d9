import { expect, test } from 'vitest';
import { readProperty } from './new-pet.ts';

test('readProperty returns a number where the contract accepts it, otherwise the text', () => {
  expect(readProperty('categoryId', '9007199254740993')).toBe(9007199254740993n);
  expect(readProperty('categoryId', '7.0')).toBe(7);
  for (const text of ['7', '7.5', 'true']) expect(readProperty('name', text)).toBe(text);
  for (const text of ['7.5', '07', ' 7', 'true']) expect(readProperty('categoryId', text)).toBe(text);
});
