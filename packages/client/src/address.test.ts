import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

test('path parameters are encoded', () => {
  const address = addressOf('https://pets.example/v1', '/pets/:petId', { params: { petId: '../a b?c#d%' } });
  expect(address.href).toBe('https://pets.example/v1/pets/..%2Fa%20b%3Fc%23d%25');
});

test('query parameters are encoded, and left out when undefined', () => {
  const query = { a: '&=+ ñ', b: undefined, c: 0 };
  expect(addressOf('https://pets.example/v1', '/pets', { query }).href).toBe(
    'https://pets.example/v1/pets?a=%26%3D%2B+%C3%B1&c=0',
  );
});

test('a query or fragment of the base address does not get in the way', () => {
  for (const baseUrl of [
    'https://pets.example/v1/?a=1',
    'https://pets.example/v1#a',
    'https://pets.example/v1?#',
  ]) {
    expect(addressOf(baseUrl, '/pets').href).toBe('https://pets.example/v1/pets');
  }
});
