import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@petstore/test-support/servers/listen';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/memory-pet-store.ts';
import { createNodeFetch } from './node.ts';

/** Serves `respond` over HTTP, and creates a store that calls it. */
async function serve(respond: (url: string, init: RequestInit) => Promise<Response>, connections?: number) {
  const served = await serveFetch(respond);
  const options = { apiKey: 'secret-key', fetch: createNodeFetch({ connections }), retryDelayMs: 0 };
  return { ...served, store: createPetStore({ baseUrl: served.baseUrl, ...options }) };
}

test('createNodeFetch transmits requests and responses unchanged', async () => {
  await using served = await serve(createMemoryPetStore({ apiKey: 'secret-key' }).fetch);
  const newPet = { name: 'Ñandú 🦤', categoryId: 2n ** 60n };
  await served.store.createPet(newPet);
  expect(await served.store.listPets({ limit: 5 })).toMatchObject([newPet]);
  const call = served.store.createPet({ name: '\0', categoryId: 7 });
  await expect(call).rejects.toMatchObject({ code: 'invalid_body', status: 400 });
});

test('createNodeFetch keeps each value of a header that was sent several times, also in ISO 8859-1', async () => {
  const headers = new Headers({ 'set-cookie': 'a=1' });
  headers.append('set-cookie', 'b=ñ');
  await using served = await serve(async () => new Response(Buffer.from('[]'), { headers }));
  expect((await served.store.withResponse.listPets()).headers.getSetCookie()).toEqual(['a=1', 'b=ñ']);
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

test('createNodeFetch does not offer HTTP/2, which would send all requests over one connection', async () => {
  const { promise: handshake, resolve } = Promise.withResolvers<string>();
  await using listening = await listen(createServer((socket) => resolve(text(socket.end()))));
  await expect(createNodeFetch()(listening.origin.replace('http', 'https'), {})).rejects.toThrow();
  // The list of protocols: its length, the length of the first name, and that name.
  expect(await handshake).toContain('\0\x09\x08http/1.1');
});

test('createNodeFetch opens as many connections as the option says, also after it has lost all', async () => {
  const connections = 2;
  const { promise: loss, reject: lose } = Promise.withResolvers<Response>();
  const { promise: pause, resolve: endPause } = Promise.withResolvers<void>();
  let requests = 0;
  const respond = async () => {
    requests += 1;
    if (requests === connections) lose(new Error('All connections are lost'));
    return requests <= connections ? loss : pause.then(() => Response.json([]));
  };
  await using served = await serve(respond, connections);
  const calls = Array.from({ length: 5 }, () => served.store.listPets());
  await expect.poll(() => requests).toBeGreaterThanOrEqual(2 * connections);
  // More connections would bring more requests in this time.
  await sleep(100);
  const requestsInPause = requests;
  endPause();
  await Promise.all(calls);
  expect(requestsInPause).toBe(2 * connections);
});
