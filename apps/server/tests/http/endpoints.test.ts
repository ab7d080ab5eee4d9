import { findLink, Pets } from '@petstore/contract';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';

const body = (pet: object) => ({ method: 'POST', body: JSON.stringify(pet) });

test('pagination sees each pet once while others are being added', async () => {
  await using app = await startApp();
  for (let index = 0; index < 250; index += 1) {
    await app.request('/pets', body({ name: `pet ${index}`, categoryId: index }));
  }
  const seen: string[] = [];
  let url: string | undefined = `${app.baseUrl}/pets?limit=7`;
  while (url !== undefined) {
    const response: Response = await fetch(url, { headers: { authorization: `Bearer ${app.apiKey}` } });
    const pets = Pets.parse(await response.json());
    seen.push(...pets.map(({ name }) => name));
    if (seen.length < 260) await app.request('/pets', body({ name: 'newcomer', categoryId: 0 }));
    const next = findLink(response.headers.get('link'), 'next');
    url = next && new URL(next, url).href;
  }
  expect(seen.slice(0, 250)).toEqual(Array.from({ length: 250 }, (_, index) => `pet ${index}`));
  expect(seen.slice(250).every((name) => name === 'newcomer')).toBe(true);
});

test('links are absolute with PUBLIC_BASE_URL, and never contain the Host header', async () => {
  await using app = await startApp({ PUBLIC_BASE_URL: 'https://api.petstore.test/v1/' });
  for (const name of ['one', 'two']) {
    const created = await app.request('/pets', body({ name, categoryId: 1 }));
    expect(created.headers.get('location')).toMatch(/^https:\/\/api\.petstore\.test\/v1\/pets\/\d$/);
  }
  const page = await app.request('/pets?limit=1');
  expect(page.headers.get('link')).toMatch(/^<https:\/\/api\.petstore\.test\/v1\/pets\?limit=1&cursor=/);
});

test('a request is logged in one line with id, method, route, status, duration and name of the key', async () => {
  await using app = await startApp();
  await app.request('/pets/1?secret=hidden', { headers: { 'x-request-id': 'my-request.1' } });
  await expect
    .poll(() => app.logLines().at(-1))
    .toEqual({
      level: 30,
      time: expect.any(Number),
      requestId: 'my-request.1',
      method: 'GET',
      route: '/v1/pets/:petId',
      path: '/v1/pets/1',
      status: 404,
      durationMs: expect.any(Number),
      key: 'test',
      caller: '127.0.0.1',
    });
});
