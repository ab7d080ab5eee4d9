import { createServer } from 'node:http';
import { bearer, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { listen } from '@petstore/test-support/servers/listen';
import express from 'express';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { addPets } from '#support/database';
import { ListCache } from '../../src/http/middleware/cache-lists.ts';

test('a cached list is the same on the wire and in the log, with its next link', async () => {
  await using app = await startApp();
  for (const name of ['one', 'two']) await app.request('/pets', creation(name));
  const ask = async () => {
    const request = requestHead('GET /v1/pets?limit=1', bearer(app.apiKey));
    const [response] = await sendRaw(app.origin, request, { count: 1 });
    for (const name of ['x-request-id', 'date']) response?.headers.delete(name);
    return response;
  };
  const first = await ask();
  expect(first?.headers.get('link')).toContain('rel="next"');
  for (let time = 0; time < 2; time += 1) expect(await ask()).toEqual(first);
  expect(app.service.listCache).toMatchObject({ hits: 1, misses: 2 });
  const lines = () => app.logLines().filter(({ method }) => method === 'GET');
  await expect.poll(() => lines().length).toBe(3);
  const same = { requestId: '', time: 0, durationMs: 0, databaseMs: 0 };
  const [firstMiss, , hit] = lines().map((line) => ({ ...line, ...same }));
  expect(hit).toEqual(firstMiss);
});

test('a cached list needs a key, and has the CORS headers of its request', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.example' });
  for (const name of ['one', 'two']) await app.request('/pets', creation(name));
  const ask = (headers: Record<string, string>) => app.request('/pets?limit=1', { headers });
  // A list is cached at its second request.
  await ask({});
  const { headers } = await ask({});
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect((await ask({ authorization: 'Bearer nonsense' })).status).toBe(401);
  const crossOrigin = await ask({ origin: 'https://shop.example' });
  expect(crossOrigin.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(app.service.listCache?.hits).toBe(1);
});

test('the cache forgets the list that was requested longest ago, before all lists have more than 4 MiB', async () => {
  await using app = await startApp();
  const pets = Array.from({ length: 50 }, () => ({ name: 'x'.repeat(10_000), categoryId: 1 }));
  await addPets(app.service.database, pets);
  // The last use of the key is saved before this pet. Saved later, it would invalidate all lists.
  await app.request('/pets', creation('last'));
  const cache = app.service.listCache ?? expect.fail();
  const request = (list: number) => app.request(`/pets?limit=100&list=${list}`);
  // A list has half a megabyte, and is kept at its second request.
  for (let list = 0; list < 8; list += 1) for (let time = 0; time < 2; time += 1) await request(list);
  await request(0);
  expect(cache.hits).toBe(1);
  for (let time = 0; time < 2; time += 1) await request(8);
  await request(0);
  expect(cache.hits).toBe(2);
  await request(1);
  expect(cache.hits).toBe(2);
});

test('a list is not kept as current if a commit follows before it is formatted', async () => {
  let version = 1;
  const cache = new ListCache(() => version);
  const service = express().get('/pets', cache.middleware, (_req, res) => {
    version += 1;
    res.locals.keepList?.({ json: '[]', etag: '"1"', link: undefined });
    res.end();
  });
  await using listening = await listen(createServer(service));
  for (let time = 0; time < 3; time += 1) await fetch(`${listening.origin}/pets`);
  expect(cache).toMatchObject({ hits: 0, misses: 3 });
});
