import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from './memory-pet-store.ts';

test.each(['https://pets.example/v1', 'https://pets.example/shops/7/v1/'])(
  'an in-memory pet store responds below the base URL %s',
  async (baseUrl) => {
    const store = createPetStore(createMemoryPetStore({ baseUrl }));
    for (let count = 0; count < 3; count += 1) await store.createPet({ name: 'Ada', categoryId: 7 });
    expect(await Array.fromAsync(store.pets({ pageSize: 2 }), ({ id }) => id)).toEqual([1, 2, 3]);
    expect(await store.safe.getPet(9)).toMatchObject({ status: 404, body: { code: 'pet_not_found' } });
  },
);
