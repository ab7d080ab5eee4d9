import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from './memory-pet-store.ts';

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
