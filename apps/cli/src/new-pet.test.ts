import { expect, test } from 'vitest';
import { readProperty } from './new-pet.ts';

test('readProperty returns a number where the contract accepts it, otherwise the text', () => {
  expect(readProperty('categoryId', '9007199254740993')).toBe(9007199254740993n);
  expect(readProperty('categoryId', '7.0')).toBe(7);
  for (const text of ['7', '7.5', 'true']) expect(readProperty('name', text)).toBe(text);
  // The contract refuses the first two. The others are not numbers in JSON's notation.
  for (const text of ['7.5', 'true', '07', ' 7']) expect(readProperty('categoryId', text)).toBe(text);
});
