import { expect, test } from 'vitest';
import { createRequestBuilders } from './request-builders.ts';

test('a request encodes the parameters of its query and omits undefined ones', () => {
  const { listPets } = createRequestBuilders('https://pets.example/v1');
  const { url } = listPets({ cursor: '&=+ ñ', status: undefined, limit: 1 });
  expect(url).toBe('https://pets.example/v1/pets?cursor=%26%3D%2B%20%C3%B1&limit=1');
});

test.each(['https://pets.example/v1/?a=1', 'https://pets.example/v1#a', 'https://pets.example/v1?#'])(
  'a request ignores the query and the fragment of the base address %s',
  (baseUrl) => {
    expect(createRequestBuilders(baseUrl).listPets().url).toBe('https://pets.example/v1/pets');
  },
);
