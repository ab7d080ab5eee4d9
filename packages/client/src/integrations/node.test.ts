import { createServer } from 'node:http';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { type Listening, listen } from '@petstore/test-support/servers/listen';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/memory-pet-store.ts';
import { createNodeFetch } from './node.ts';

/** Serves `respond` over HTTP, and creates a store that calls it over two connections. */
async function serve(respond: (url: string, init: RequestInit) => Promise<Response>) {
  const served = await serveFetch(respond);
  const { baseUrl } = served;
  const fetch = createNodeFetch({ connections: 2 });
  return { ...served, store: createPetStore({ baseUrl, apiKey: 'secret-key', fetch, retryDelayMs: 0 }) };
}

test('createNodeFetch transmits requests and responses unchanged', async () => {
  const memory = createMemoryPetStore({ apiKey: 'secret-key' });
  await using served = await serve(memory.fetch);
  const newPet = { name: 'Ñandú 🦤', categoryId: 2n ** 60n };
  await served.store.createPet(newPet);
  expect(await served.store.listPets({ limit: 5 })).toMatchObject([newPet]);
  const response = served.store.createPet({ name: '\0', categoryId: 7 });
  await expect(response).rejects.toMatchObject({ code: 'invalid_body', status: 400 });
});

test('createNodeFetch keeps each value of a header that was sent several times', async () => {
  const headers = new Headers({ 'set-cookie': 'a=1' });
  headers.append('set-cookie', 'b=2');
  await using served = await serve(async () => Response.json([], { headers }));
  const response = await served.store.withResponse.listPets();
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
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

// The tests of the catalogue and of the CLI show the default of 64.
test('createNodeFetch opens as many connections as the option says, also after all were refused or lost', async () => {
  const numbers: number[] = [];
  const server = createServer((_request, response) => {
    server.getConnections((_error, number) => {
      // The first two connections are lost.
      if (numbers.push(number) <= 2) response.destroy();
      else response.end('[]');
    });
  });
  const port = await findFreePort();
  let listening: Promise<Listening> | undefined;
  const store = createPetStore({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'secret-key',
    fetch: createNodeFetch({ connections: 2 }),
    retryDelayMs: 0,
    onError() {
      listening ??= listen(server, port);
    },
  });
  await Promise.all(Array.from({ length: 100 }, () => store.listPets()));
  await using _listening = await listening;
  expect(Math.max(...numbers)).toBe(2);
});
