import { createPetStore } from '@petstore/client';
import { petStoreHandlers } from '@petstore/client/msw';
import { createMemoryPetStore } from '@petstore/client/testing';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeAnimals } from './shelter';

const baseUrl = 'https://pets.example/v1';
const server = setupServer();

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

test('the animals that wait for a home are named', async () => {
  const memory = createMemoryPetStore({
    pets: [
      { name: 'Ada', categoryId: 7, status: 'available' },
      { name: 'Bob', categoryId: 7, status: 'sold' },
    ],
  });
  server.use(...petStoreHandlers(memory, { baseUrl }));
  const store = createPetStore({ baseUrl, apiKey: memory.apiKey });
  expect(await describeAnimals(store)).toBe('Waiting for a home: Ada.');

  await store.createPet({ name: 'Cleo', categoryId: 7, status: 'available' });
  expect(await describeAnimals(store)).toBe('Waiting for a home: Ada, Cleo.');
});

test('a catalogue that is away is said to be', async () => {
  server.use(http.get(`${baseUrl}/pets`, () => HttpResponse.error()));
  const store = createPetStore({ baseUrl, apiKey: 'pst_test', timeoutMs: 100 });
  expect(await describeAnimals(store)).toBe('The catalogue is away. Please come back later.');
});
