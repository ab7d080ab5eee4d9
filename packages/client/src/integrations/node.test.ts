import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/memory-pet-store.ts';
import { createNodeFetch } from './node.ts';

/** Serves `respond` over HTTP, and creates a store that calls it with `createNodeFetch`. */
async function serve(respond: (url: string, init: RequestInit) => Promise<Response>) {
  const served = await serveFetch(respond);
  const connection = { baseUrl: served.baseUrl, apiKey: 'secret-key' };
  const store = createPetStore({ ...connection, fetch: createNodeFetch({ connections: 2 }) });
  return Object.assign(served, { store });
}

test('createNodeFetch transmits requests and responses unchanged', async () => {
  const memory = createMemoryPetStore({ apiKey: 'secret-key' });
  await using served = await serve(memory.fetch);
  const names = Array.from({ length: 25 }, (_, index) => `Ñandú ${index}`);
  await Promise.all(names.map((name) => served.store.createPet({ name, categoryId: 2n ** 60n })));
  const pets = await Array.fromAsync(served.store.pets({ pageSize: 10 }));
  expect(pets.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const response = served.store.createPet({ name: '\0', categoryId: 7 });
  await expect(response).rejects.toMatchObject({ code: 'invalid_body', status: 400 });
});

test('createNodeFetch obeys the signal and the timeout of an attempt', async () => {
  await using served = await serve(() => new Promise(() => {}));
  const controller = new AbortController();
  const aborted = served.store.listPets({}, { signal: controller.signal });
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  await expect(served.store.listPets({}, { attemptTimeoutMs: 50, retries: 0 })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('createNodeFetch reports a refused connection as a NetworkError that names the cause', async () => {
  const served = await serve(async () => new Response());
  await served[Symbol.asyncDispose]();
  await expect(served.store.listPets({}, { retries: 0 })).rejects.toMatchObject({
    name: 'NetworkError',
    message: expect.stringMatching(/ECONNREFUSED/),
  });
});
