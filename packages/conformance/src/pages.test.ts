import { describe, expect, test } from 'vitest';
import { findPet, readListing, resolve } from './pages.ts';

const response = {
  request: 'GET /v1/pets',
  url: 'http://petstore.test/v1/pets',
  status: 200,
  headers: new Headers(),
  text: '[]',
  replay: { curl: 'curl', received: '200 []' },
};

test.each([
  null,
  'http://elsewhere.test/v1/pets',
  '//elsewhere.test/',
  'https://petstore.test/v1',
  'http://[',
])('resolve has no URL for the reference %s, since the key would go there', (reference) =>
  expect(resolve(response, reference)).toBeUndefined(),
);

/** A target whose every page is the same. */
function targetOf(pets: unknown[], link = '') {
  const headers = { 'content-type': 'application/json', link };
  const fetch = async () => new Response(JSON.stringify(pets), { headers });
  return { baseUrl: 'http://petstore.test/v1', apiKey: 'key', fetch };
}

test('readListing ends when a next link leads back to a page', async () => {
  const paths: string[] = [];
  const target = targetOf([], '</v1/pets?cursor=a>; rel="next"');
  await readListing(target, '/pets', ({ response }) => paths.push(response.request));
  expect(paths).toEqual(['GET /v1/pets', 'GET /v1/pets?cursor=a']);
});

describe('findPet', () => {
  const pets = Array.from({ length: 100 }, (_, id) => ({ id, name: 'a', categoryId: 1 }));

  test('finds a pet and its page', async () => {
    expect(await findPet(targetOf(pets), { id: 7 })).toMatchObject({ listed: pets[7], page: { pets } });
  });

  test('fails when a listing that is complete does not have the pet', async () => {
    await expect(findPet(targetOf(pets.slice(1)), { id: 0 })).rejects.toThrow(
      'expected the pet that was added',
    );
  });

  test('leaves open whether a full page without a next link is the whole listing', async () => {
    expect(await findPet(targetOf(pets), { id: 200 })).toHaveProperty('listed', undefined);
  });
});
