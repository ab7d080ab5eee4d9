import { createServer } from 'node:http';
import { bearer, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { listen } from '@petstore/test-support/servers/listen';
import express from 'express';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { addPets } from '#support/database';
import { ListCache } from '../../src/http/middleware/cache-lists.ts';

test('a list from the cache has the response and the log line of a list from the database, with the links of a deprecation and to the next page', async () => {
  await using app = await startApp();
  app.service.server.prependListener('request', (_, res) => res.setHeader('Link', '</>; rel="deprecation"'));
  for (const name of ['one', 'two']) await app.request('/pets', creation(name));
  const requestList = async () => {
    const request = requestHead('GET /v1/pets?limit=1', bearer(app.apiKey));
    const [response] = await sendRaw(app.origin, request, { count: 1 });
    for (const name of ['x-request-id', 'date']) response?.headers.delete(name);
    return response;
  };
  const firstMiss = await requestList();
  expect(firstMiss?.headers.get('link')).toMatch(/rel="deprecation".*, <[^>]+>; rel="next"$/);
  // A list is cached at its second request, so the third one is a hit.
  for (let count = 0; count < 2; count += 1) expect(await requestList()).toEqual(firstMiss);
  expect(app.service.listCache).toMatchObject({ hits: 1, misses: 2 });
  const lines = () => app.logLines().filter(({ method }) => method === 'GET');
  await expect.poll(() => lines().length).toBe(3);
  const differing = { requestId: '', time: 0, durationMs: 0, databaseMs: 0 };
  const [missLine, , hitLine] = lines().map((line) => ({ ...line, ...differing }));
  expect(hitLine).toEqual(missLine);
});

test('a cached list needs an API key, never matches a weak If-Match, and has a link to the next page and the CORS headers of its request', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.example' });
  for (const name of ['one', 'two']) await app.request('/pets', creation(name));
  const requestList = (headers = {}) => app.request('/pets?limit=1', { headers });
  await requestList();
  const { headers } = await requestList();
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect((await requestList({ authorization: 'Bearer nonsense' })).status).toBe(401);
  expect((await requestList({ 'if-match': `W/${headers.get('etag')}` })).status).toBe(412);
  const crossOrigin = await requestList({ origin: 'https://shop.example' });
  expect(crossOrigin.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(crossOrigin.headers.get('link')).toBe(headers.get('link'));
  expect(headers.get('link')).toMatch(/<[^>]+>; rel="next"$/); // A deprecated version has other links before.
  expect(app.service.listCache?.hits, 'requests with If-Match and with Origin').toBe(2);
});

test('the cache forgets the list that was requested longest ago, before all lists together exceed 4 MiB', async () => {
  await using app = await startApp();
  // Half a megabyte, so eight lists fit.
  const pets = Array.from({ length: 50 }, () => ({ name: 'x'.repeat(10_000), categoryId: 1 }));
  await addPets(app.service.database, pets);
  // The first use of an API key is saved a little later. This commit invalidates cached lists. A creation waits for it.
  await app.request('/pets', creation('last'));
  const cache = app.service.listCache ?? expect.fail();
  // An unknown parameter is ignored, but makes another URL.
  const request = (list: number) => app.request(`/pets?limit=100&list=${list}`);
  const keep = async (list: number) => [await request(list), await request(list)];
  for (const list of [1, 2, 3, 4, 5, 6, 7, 8]) await keep(list);
  await request(1);
  expect(cache.hits).toBe(1);
  await keep(9);
  await request(1);
  expect(cache.hits, 'the first list is kept').toBe(2);
  await request(2);
  expect(cache.hits, 'the second list is forgotten').toBe(2);
});

test('a list is never sent from the cache if a commit came between its read and its formatting', async () => {
  let version = 1;
  const cache = new ListCache(() => version);
  const service = express().get('/pets', cache.middleware, (_req, res) => {
    version += 1;
    res.locals.keepList?.({ json: '[]', etag: '"1"', link: undefined });
    res.end();
  });
  await using listening = await listen(createServer(service));
  // The second list is cached, but its version is outdated at the third request.
  for (let count = 0; count < 3; count += 1) await fetch(`${listening.origin}/pets`);
  expect(cache).toMatchObject({ hits: 0, misses: 3 });
});
