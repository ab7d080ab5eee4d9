import { expect, test } from 'vitest';
import { buildUrl } from './url.ts';

test('buildUrl encodes path parameters', () => {
  const url = buildUrl('https://pets.example/v1', '/pets/:petId', {}, { petId: '../a b?c#d%' });
  expect(url.href).toBe('https://pets.example/v1/pets/..%2Fa%20b%3Fc%23d%25');
});

test('buildUrl encodes query parameters and omits undefined ones', () => {
  const query = { a: '&=+ ñ', b: undefined, c: 0 };
  expect(buildUrl('https://pets.example/v1', '/pets', query).href).toBe(
    'https://pets.example/v1/pets?a=%26%3D%2B+%C3%B1&c=0',
  );
});

test('buildUrl ignores a query or fragment of the base address', () => {
  for (const baseUrl of [
    'https://pets.example/v1/?a=1',
    'https://pets.example/v1#a',
    'https://pets.example/v1?#',
  ]) {
    expect(buildUrl(baseUrl, '/pets').href).toBe('https://pets.example/v1/pets');
  }
});
