import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/memory-pet-store.ts';
import { createNodeFetch, type NodeFetchOptions } from './node.ts';

/** Serves `respond` over HTTP, and creates a store that calls it with `createNodeFetch`. */
async function serve(
  respond: (url: string, init: RequestInit) => Promise<Response>,
  options: NodeFetchOptions = { connections: 2 },
) {
  const served = await serveFetch(respond);
  const { baseUrl } = served;
  const store = createPetStore({ baseUrl, apiKey: 'secret-key', fetch: createNodeFetch(options) });
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

test('createNodeFetch keeps each value of a header that was sent several times', async () => {
  const cookies: [string, string][] = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ];
  await using served = await serve(async () => Response.json([], { headers: cookies }));
  const { headers } = await served.store.withResponse.listPets();
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test('createNodeFetch obeys the signal, and then has its connection for another request', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  await using served = await serveFetch(async () => {
    if (signal.aborted) return new Response();
    controller.abort();
    return new Promise(() => {});
  });
  const fetch = createNodeFetch({ connections: 1 });
  await expect(fetch(served.origin, { signal })).rejects.toMatchObject({ name: 'AbortError' });
  expect(await fetch(served.origin, {})).toMatchObject({ status: 200 });
});

test.each([
  { connections: 2, expected: 2 },
  { connections: undefined, expected: 64 },
])('createNodeFetch opens $expected connections if connections is $connections', async (options) => {
  const enough = Promise.withResolvers<void>();
  let inFlight = 0;
  await using served = await serve(async () => {
    inFlight += 1;
    // A further request would arrive in the meantime.
    if (inFlight === options.expected) setTimeout(enough.resolve, 100);
    await enough.promise;
    return Response.json([]);
  }, options);
  const calls = Array.from({ length: options.expected + 1 }, () => served.store.listPets());
  await enough.promise;
  expect(inFlight).toBe(options.expected);
  await Promise.all(calls);
});
