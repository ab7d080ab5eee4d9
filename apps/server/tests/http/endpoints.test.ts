import { createPetStore } from '@petstore/client';
import { findLink, NewPet, Pets, stringifyJson } from '@petstore/contract';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';

const BEYOND_DOUBLES = 9007199254740993n;
const body = (pet: object) => ({ method: 'POST', body: JSON.stringify(pet) });

describe.each(engines)('over %s', (engine) => {
  test('the POST, the list and the client return a pet exactly as it was sent, also after a restart', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    const pet = NewPet.parse({ name: 'Ñandú 🦤', categoryId: BEYOND_DOUBLES });
    const headers = { authorization: `Bearer ${FIXED_KEY}`, 'content-type': 'application/json' };

    const first = await startServer(environment);
    const created = await fetch(`${first.baseUrl}/pets`, {
      method: 'POST',
      headers,
      body: stringifyJson(pet),
    });
    const stored = { id: 1, ...pet };
    expect(await created.text()).toBe(stringifyJson(stored));
    expect(await (await fetch(`${first.baseUrl}/pets`, { headers })).text()).toBe(stringifyJson([stored]));
    await first.stop();

    await using second = await startServer(environment);
    const store = createPetStore({ baseUrl: second.baseUrl, apiKey: FIXED_KEY });
    expect(await store.listPets()).toEqual([stored]);
  });

  test('a member name with escapes is what it denotes, whatever names earlier bodies had', async () => {
    await using app = await startApp({}, engine);
    const create = async (text: string) =>
      (await app.request('/pets', { method: 'POST', body: `{"name":"x","categoryId":1,${text}}` })).json();
    await create('"\\\\u0073":null');
    expect(await create('"\\u0073tatus":"sold"')).toMatchObject({ status: 'sold' });
  });

  test('pagination sees each pet once while others are being added', async () => {
    await using app = await startApp({}, engine);
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
    await using app = await startApp({ PUBLIC_BASE_URL: 'https://api.petstore.test/v1/' }, engine);
    for (const name of ['one', 'two']) {
      const created = await app.request('/pets', body({ name, categoryId: 1 }));
      expect(created.headers.get('location')).toMatch(/^https:\/\/api\.petstore\.test\/v1\/pets\/\d$/);
    }
    const page = await app.request('/pets?limit=1');
    expect(page.headers.get('link')).toMatch(/^<https:\/\/api\.petstore\.test\/v1\/pets\?limit=1&cursor=/);
  });

  test('the entity tag of a page changes when its next link appears', async () => {
    await using app = await startApp({}, engine);
    await app.request('/pets', body({ name: 'one', categoryId: 1 }));
    const before = await app.request('/pets?limit=1');
    const etag = before.headers.get('etag') ?? '';
    const again = await app.request('/pets?limit=1', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await app.request('/pets', body({ name: 'two', categoryId: 1 }));
    const after = await app.request('/pets?limit=1', { headers: { 'if-none-match': etag } });
    expect(after.status).toBe(200);
    expect(after.headers.get('link')).toContain('rel="next"');
  });

  test('a request is logged in one line with id, method, route, status, duration and name of the key', async () => {
    await using app = await startApp({}, engine);
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
});
