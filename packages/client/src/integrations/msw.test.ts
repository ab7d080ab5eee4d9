import { NewPet } from '@petstore/contract';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/memory-pet-store.ts';
import { petStoreHandlers } from './msw.ts';

test.each(['https://pets.example/v1', 'https://pets.example/shops/7/v1/'])(
  'the handlers respond below %s as the in-memory pet store does',
  async (baseUrl) => {
    const memory = createMemoryPetStore();
    const server = setupServer(...petStoreHandlers(memory, { baseUrl }));
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());

    const store = createPetStore({ baseUrl, apiKey: memory.apiKey, onDeprecation: false });
    const newPet = NewPet.parse({ name: 'Ñandú 🦤', categoryId: 9007199254740993n });
    for (let count = 0; count < 3; count += 1) await store.createPet(newPet);

    expect(memory.pets).toHaveLength(3);
    expect(await Array.fromAsync(store.pets({ pageSize: 2 }), ({ id }) => id)).toEqual([1, 2, 3]);
    expect(await store.getPet(1)).toEqual({ id: 1, ...newPet });
    expect(await store.safe.getPet(9)).toMatchObject({ status: 404, body: { code: 'pet_not_found' } });
    expect(await createPetStore({ baseUrl, apiKey: 'pst_other' }).safe.listPets()).toMatchObject({
      status: 401,
    });
  },
);
