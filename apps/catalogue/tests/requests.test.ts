import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizeLimits } from '@petstore/contract';
import { requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { request as sendRequest } from 'undici';
import { expect, test, vi } from 'vitest';
import { API_KEY, USER, useApp, userHeader } from './support/app.ts';

const LARGEST = 2n ** 63n - 1n;

const app = await useApp([{ name: 'Rex', categoryId: -3, status: 'available' }]);

test.each([
  ['number=+No.+1+', 1],
  ['number=%23001&cursor=', 1],
  ['number=9223372036854775807', LARGEST],
])('the search "%s" leads to animal %s, and keeps only the status', async (search, id) => {
  const response = await app.request(`/animals?status=sold&${search}`);
  expect(response.headers.get('location')).toBe(`/animals/${id}?status=sold`);
});

const wrong = ['Rex', '-5', '0', '1.5', '9223372036854775808', ' '];
test.each(wrong)('the number "%s" leads to no animal, and the list says how to search', async (number) => {
  const response = await app.request(`/animals?${new URLSearchParams({ status: 'sold', number })}`);
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain('Enter the number of an animal, such as 7');
  expect(page).toContain('There is no search for names.');
  expect(page).toContain(`value="${number}"`);
  expect(page).toContain('<h1>Sold animals</h1>');
});

test('unknown animals, cursors and paths are not found', async () => {
  for (const path of ['/animals/404', '/animals/seven', '/animals?cursor=stolen', '/elsewhere'])
    expect((await app.request(path)).status, path).toBe(404);
});

test('a body that is no form, a form without a key, and a too long form are refused', async () => {
  const post = async (body: string | URLSearchParams, path = '/animals/new?key=k') =>
    (await app.request(path, { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin' } })).status;
  const form = (name: string) => new URLSearchParams({ name, categoryId: '7' });
  expect(await post('{}')).toBe(400);
  expect(await post(form('x'), '/animals/new')).toBe(400);
  // The catalogue accepts this form, below three times the longest JSON body. Its JSON is too long for the pet store.
  expect(await post(form('x'.repeat(sizeLimits.body)))).toBe(413);
  expect(await post('x'.repeat(3 * sizeLimits.body))).toBe(400);
  expect(await post('x'.repeat(3 * sizeLimits.body + 1))).toBe(413);
});

const longForm = 'x'.repeat(10 * sizeLimits.body);

test.each([
  [`Content-Length: ${longForm.length}`, longForm, [413, 200]],
  ['Transfer-Encoding: chunked', `${longForm.length.toString(16)}\r\n${longForm}\r\n0\r\n\r\n`, [413]],
])('after a too long form with %s, the connection is usable or closed', async (header, body, expected) => {
  const headers = ['X-Forwarded-User: a', 'Sec-Fetch-Site: same-origin', header];
  const post = requestHead('POST /animals/new?key=k', ...headers) + body;
  const responses = await sendRaw(app.origin, post + requestHead('GET /healthz', 'Connection: close'));
  expect(responses.map(({ status }) => status)).toEqual(expected);
  expect(responses.at(-1)?.headers.get('connection')).toBe('close');
});

test('a hundred pages at once send the pet store at most 64 requests at a time', async () => {
  const waiting: ((response: Response) => void)[] = [];
  app.setFault(() => new Promise((resolve) => waiting.push(resolve)));
  const pages = Array.from({ length: 100 }, () => app.request('/animals'));
  await expect.poll(() => waiting).toHaveLength(64);
  await sleep(200); // A further request would arrive in the meantime.
  expect(waiting).toHaveLength(64);
  app.setFault(async () => Response.json([]));
  for (const respond of waiting) respond(Response.json([]));
  for (const { status } of await Promise.all(pages)) expect(status).toBe(200);
});

test('the pet store, the response and the log get the request id of a request if it has a form that the pet store accepts, and the pet store gets no other header of it', async () => {
  const headers = { 'X-Request-Id': 'id.of-the_request', 'X-Secret': 'secret', Cookie: 'a=secret' };
  let passed = new Headers();
  app.setFault(async (_url, init) => {
    passed = new Headers(init.headers);
    await sleep(50);
    return Response.json([]);
  });
  const response = await app.request('/animals', { headers });
  expect(passed.get('x-request-id')).toBe('id.of-the_request');
  expect(passed.get('authorization')).toBe(`Bearer ${API_KEY}`);
  for (const text of ['secret', USER]) expect([...passed].join()).not.toContain(text);
  expect(response.headers.get('x-request-id')).toBe('id.of-the_request');
  expect(JSON.parse(app.log.at(-1) ?? '')).toMatchObject({
    requestId: 'id.of-the_request',
    // The pet store takes 50 ms, and a timer may end a few milliseconds early.
    durationMs: expect.toSatisfy((duration) => duration >= 45 && duration < 60_000),
  });
  for (const id of ['x'.repeat(129), 'x=']) {
    const { headers } = await app.request('/healthz', { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).not.toContain('x');
  }
});

test('a page needs the user header of the proxy, unlike a health check, and shows a user name in any script', async () => {
  expect((await fetch(`${app.origin}/animals`)).status).toBe(401);
  expect((await fetch(`${app.origin}/healthz`)).status).toBe(200);
  const refused = await app.request('/animals', { headers: userHeader('') });
  expect(refused.status).toBe(401);
  expect(await refused.text()).not.toContain('Add an animal');
  expect(app.log.at(-1)).toContain('"error":"X-Forwarded-User is missing"');
  const response = await app.request('/animals', { headers: userHeader('Jiří Šťastný') });
  expect(await response.text()).toContain('>Jiří Šťastný<');
});

test('a request with the user header gets 401 if it does not come from the proxy, and 403 if its connection has closed', async () => {
  await using catalogue = await app.start({ TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' });
  expect((await app.request('/animals/new', { to: catalogue.origin })).status).toBe(401);
  expect(catalogue.log.join()).toContain('"error":"127.0.0.1 is not in TRUSTED_PROXIES"');
  await catalogue.app.request('/animals', { headers: userHeader() }, { incoming: { socket: {} } });
  expect(catalogue.log.at(-1)).toMatch(/"The client has closed the connection".*"status":403/);
});

// The form is invalid: 400 means that its origin was accepted.
test.each<[Record<string, string>, number]>([
  [{ 'Sec-Fetch-Site': 'same-origin' }, 400],
  [{ 'Sec-Fetch-Site': 'none' }, 400],
  [{ Origin: 'https://catalogue.example', Host: 'catalogue.example' }, 400],
  [{ Origin: 'http://catalogue.example', Host: 'Catalogue.example:80' }, 400],
  [{ 'Sec-Fetch-Site': 'same-site' }, 403],
  [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'http://catalogue.example', Host: 'catalogue.example' }, 403],
  [{ Origin: 'https://other.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{}, 403],
])('a form with the headers %o gets the status %i', async (headers, status) => {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const options = { headers: { ...userHeader(), ...type, ...headers }, body: 'name=Forged&categoryId=none' };
  // fetch sets Host itself.
  const { statusCode } = await sendRequest(`${app.origin}/animals/new?key=k`, { method: 'POST', ...options });
  expect(statusCode).toBe(status);
  const { 'Sec-Fetch-Site': site, Origin: origin, Host: host = new URL(app.origin).host } = headers;
  const reason = `Sec-Fetch-Site is ${site}, Origin ${origin}, Host ${host}"`;
  if (status === 403) expect(app.log.at(-1)).toContain(reason);
});

test('a bug fails a request with 500 and a log line that has its request id', async () => {
  // The check of the Origin of a form calls URL.parse.
  using _bug = vi.spyOn(URL, 'parse').mockThrow(new Error('A fault in a test'));
  const headers = { Origin: app.origin, 'X-Request-Id': 'bug' };
  await app.request('/animals/new', { method: 'POST', body: new URLSearchParams(), headers });
  const [bug, request = ''] = app.log.slice(-2);
  expect(bug).toMatch(/"requestId":"bug","err":{.*"A bug failed a request"/);
  expect(JSON.parse(request)).toMatchObject({ level: 50, requestId: 'bug', status: 500 });
});

test('the key file is read again, and the last key is kept while the file is missing or empty', async () => {
  const PETSTORE_API_KEY_FILE = app.folder.file('key');
  const environment = { PETSTORE_API_KEY: '', PETSTORE_API_KEY_FILE };
  writeFileSync(PETSTORE_API_KEY_FILE, 'two\nlines');
  await expect(app.start(environment)).rejects.toThrow('must contain one key');
  writeFileSync(PETSTORE_API_KEY_FILE, 'not-a-key-of-the-pet-store');
  await using catalogue = await app.start(environment);
  const statusOfList = async () => (await app.request('/animals', { to: catalogue.origin })).status;
  expect(await statusOfList()).toBe(502);
  expect(catalogue.log.join()).toContain('invalid_api_key: The API key');
  for (const content of [`${API_KEY}\n`, '']) {
    writeFileSync(PETSTORE_API_KEY_FILE, content);
    expect(await statusOfList()).toBe(200);
  }
  rmSync(PETSTORE_API_KEY_FILE);
  expect(await statusOfList()).toBe(200);
});

test("one attempt may take all of PETSTORE_TIMEOUT_MS, even if that is longer than the client's default of 10 s", async () => {
  await using catalogue = await app.start({ PETSTORE_TIMEOUT_MS: '12000' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const arrived = app.hang();
  const response = app.request('/animals', { to: catalogue.origin });
  await arrived;
  await vi.advanceTimersByTimeAsync(12_000);
  expect((await response).status).toBe(503);
  expect(catalogue.log.join()).toContain('(attempt 1): timed out after 12000 ms');
});

test('pages show category names, and the form lists categories by name', async () => {
  const CATEGORIES_FILE = app.folder.file('categories.json');
  const categories = { 2: 'Rabbits & rodents', '-3': 'Dogs', [`${LARGEST}`]: 'Cats' };
  writeFileSync(CATEGORIES_FILE, JSON.stringify(categories));
  await using catalogue = await app.start({ CATEGORIES_FILE });
  const read = async (path: string) => (await app.request(path, { to: catalogue.origin })).text();

  expect(await read('/animals')).toContain('>Dogs<');
  expect(await read('/animals/1')).toContain('<dd>Dogs</dd>');
  const matches = (await read('/animals/new?key=k')).matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g);
  const options = Array.from(matches, ([, value, text]) => `${value} ${text}`);
  const sorted = [`${LARGEST} Cats`, '-3 Dogs', '2 Rabbits &amp; rodents'];
  expect(options.slice(0, 4)).toEqual([' Choose a category', ...sorted]);
});
