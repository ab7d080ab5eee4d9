import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { createKey, rotateKey } from '../../src/keys/manage.ts';

const rateOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

test('every request with a valid key counts: creations, cache misses and hits, 304 and errors', async () => {
  const requests: [path: string, init: RequestInit, status: number][] = [
    ['/pets', creation(), 201],
    // A list is cached at its second request, so the third one is a hit.
    ['/pets', {}, 200],
    ['/pets', {}, 200],
    ['/pets', {}, 200],
    ['/pets/1', { headers: { 'if-none-match': '*' } }, 304],
    ['/pets/2', {}, 404],
    ['/pets?limit=0', {}, 400],
    ['/pets', { method: 'PUT' }, 405],
    ['/nowhere', {}, 404],
    ['/pets/%ZZ', {}, 404], // A path that cannot be decoded is unknown.
    ['/pets', { method: 'HEAD' }, 200],
  ];
  const count = requests.length;
  await using app = await startApp({ RATE_LIMIT: `${count}/${count * 3600}` });
  for (const [index, [path, init, status]] of requests.entries()) {
    const response = await app.request(path, init);
    expect([path, response.status]).toEqual([path, status]);
    // `t` counts down from 3600 seconds since the first request.
    const rate = expect.stringMatching(`^"default";r=${count - 1 - index};t=3[56]\\d\\d$`);
    expect(rateOf(response)).toEqual([`"default";q=${count};w=${count * 3600}`, rate]);
  }
  expect(app.service.listCache?.hits).toBeGreaterThan(0);
  for (const [path, init] of requests) expect((await app.request(path, init)).status).toBe(429);
});

test('a key beyond its own limit gets 429 with Retry-After and adds no pet, even once it is rotated', async () => {
  await using app = await startApp({ RATE_LIMIT: '4/3600' });
  const requestWith = (key: string) => app.request('/pets', { headers: { authorization: `Bearer ${key}` } });
  // Requests with an invalid key use up no limit, and have none.
  for (let count = 0; count < 5; count += 1) expect((await requestWith('unknown')).status).toBe(401);
  const add = () => app.request('/pets', creation());
  for (let count = 0; count < 4; count += 1) expect((await add()).status).toBe(201);
  const refused = await add();
  // 3600 / 4 seconds, less the seconds that the test has taken.
  const retryAfter = refused.headers.get('retry-after');
  expect(retryAfter).toMatch(/^(900|8\d\d)$/);
  expect(rateOf(refused)).toEqual(['"default";q=4;w=3600', `"default";r=0;t=${retryAfter}`]);
  const message = 'The API key may send 4 requests in 3600 seconds.';
  expect(await refused.json()).toEqual({ code: 'rate_limited', message, status: 429 });
  await expect.poll(() => app.logLines().at(-1)).toMatchObject({ status: 429, key: 'test' });
  // Each key has a limit of its own, which a rotation does not reset.
  expect((await requestWith((await rotateKey(app.db, 'test')).key)).status).toBe(429);
  const page = await requestWith(await createKey(app.db, 'other'));
  expect(await page.json(), 'the four pets before the limit').toHaveLength(4);
});
