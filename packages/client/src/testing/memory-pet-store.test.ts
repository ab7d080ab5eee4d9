import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from './memory-pet-store.ts';

test('the pet store in memory finds a weak entity tag that contains W/ itself', async () => {
  const { baseUrl, apiKey, fetch } = createMemoryPetStore({
    pets: Array.from({ length: 1_000 }, (_, index) => ({ name: `${index}`, categoryId: 1 })),
  });
  const get = (id: number, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/pets/${id}`, { headers: { authorization: `Bearer ${apiKey}`, ...headers } });
  for (let id = 1; id <= 1_000; id += 1) {
    const etag = (await get(id)).headers.get('etag') ?? '';
    if (!etag.includes('W/')) continue;
    expect((await get(id, { 'if-none-match': `"other", W/${etag}` })).status).toBe(304);
    return;
  }
  expect.unreachable('one of a thousand entity tags contains W/');
});

test('the pet store in memory counts its ids from the first on', async () => {
  const pets = ['a', 'b'].map((name) => ({ name, categoryId: 1 }));
  expect(createMemoryPetStore({ pets }).pets.map(({ id }) => id)).toEqual([1, 2]);
  const beyond = createMemoryPetStore({ pets, firstId: 9007199254740991 });
  expect(beyond.pets.map(({ id }) => id)).toEqual([9007199254740991, 9007199254740992n]);
});

test('the pet store in memory lets a key that may only read list pets, and not add one', async () => {
  const { fetch, baseUrl } = createMemoryPetStore({ readApiKey: 'pst_read' });
  const store = createPetStore({ fetch, baseUrl, apiKey: 'pst_read' });
  expect(await store.listPets()).toEqual([]);
  await expect(store.createPet({ name: 'a', categoryId: 1 })).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'insufficient_scope',
    status: 403,
    isRetryable: false,
  });
});
