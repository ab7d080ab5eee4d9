import { expect, test } from 'vitest';
import { buildRequest } from './build-request.ts';

test('a request encodes the parameters of its query and omits undefined ones', () => {
  const query = { cursor: '&=+ ñ', status: undefined, limit: 1 };
  const { url } = buildRequest('https://pets.example/v1', 'listPets', { query });
  expect(url).toBe('https://pets.example/v1/pets?cursor=%26%3D%2B%20%C3%B1&limit=1');
});

test.each(['https://pets.example/v1/?a=1', 'https://pets.example/v1#a', 'https://pets.example/v1?#'])(
  'a request ignores the query and the fragment of the base address %s',
  (baseUrl) => {
    expect(buildRequest(baseUrl, 'listPets', {}).url).toBe('https://pets.example/v1/pets');
  },
);
