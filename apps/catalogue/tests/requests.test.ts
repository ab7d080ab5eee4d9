import type { IncomingMessage } from 'node:http';
import { FIXED_KEY, runCli } from '@petstore/test-support/servers/server-process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type App, startApp, USER } from './support/app.ts';
import { startCatalogue } from './support/catalogue.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
  await app.store.createPet({ name: 'Rex', categoryId: 7, status: 'available' });
});

afterEach(() => app.reset());

afterAll(() => app[Symbol.asyncDispose]());

test('an animal is opened by its number, and a number without an animal is 404 with a way back', async () => {
  const page = await app.open('/animals');
  await page.getByLabel('Number').fill(' 1 ');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.waitForURL('**/animals/1');
  expect(await page.locator('h1').textContent()).toBe('Rex');

  await page.goto('/animals?status=sold');
  for (const number of ['404', 'none']) {
    await page.getByLabel('Number').fill(number);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('link', { name: 'Sold animals' }).click();
    await page.waitForURL('**/animals?status=sold');
  }

  const statuses = [
    '/animals/9223372036854775807',
    '/animals/seven',
    '/animals?number=new',
    '/elsewhere',
  ].map(async (path) => (await app.request(path)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404]);
});

test('a status or cursor that is none of the pet store is 400', async () => {
  expect((await app.request('/animals?status=stolen')).status).toBe(400);
  expect((await app.request('/animals?cursor=stolen')).status).toBe(400);
});

test('an animal has a notice about its form only where the form led to it', async () => {
  const notices = async (query: string) =>
    (await (await app.request(`/animals/1${query}`)).text()).match(/class="notice"/g);
  expect(await notices('?added=now')).toHaveLength(1);
  for (const query of ['', '?added=', '?added=other', '?added=constructor', '?added=__proto__']) {
    expect(await notices(query), query).toBeNull();
  }
});

test('a file in place of a field is taken for an empty field', async () => {
  const body = new FormData();
  body.set('name', new File(['Rex'], 'rex.txt'));
  body.set('categoryId', '1');
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const response = await app.request('/animals/new?key=file', { method: 'POST', body, headers });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('Name is required');
});

test('a form that is none, or too long, is refused', async () => {
  const post = async (body: string | URLSearchParams, headers = {}) => {
    const init = { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin', ...headers } };
    return (await app.request('/animals/new?key=k', init)).status;
  };
  expect(await post('{}', { 'Content-Type': 'application/json' })).toBe(400);
  expect(await post(new URLSearchParams({ name: 'x'.repeat(70_000), categoryId: '7' }))).toBe(400);
  expect(await post(new URLSearchParams({ name: 'x'.repeat(200_000), categoryId: '7' }))).toBe(413);
});

test('a form that the pet store does not allow comes back as it was filled in', async () => {
  const environment = { DATABASE_URL: app.database.url };
  const created = await runCli(['keys', 'create', '--name', 'reader', '--scope', 'read'], environment);
  await using catalogue = await startCatalogue({
    PETSTORE_BASE_URL: app.petStoreUrl,
    PETSTORE_API_KEY: created.stdout.trim(),
  });
  const page = await app.open('/animals/new', { baseURL: catalogue.origin });
  await page.getByLabel('Name').fill('Kept "Ñandú"');
  await page.getByLabel('Category').fill('42');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('The animal was not added.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Kept "Ñandú"');
  expect(await page.getByLabel('Category').inputValue()).toBe('42');
});

test('a pet store that is slow becomes a page that says so', async () => {
  const environment = { PETSTORE_BASE_URL: app.petStoreUrl, PETSTORE_TIMEOUT_MS: '1000' };
  await using catalogue = await startCatalogue(environment);
  app.setFault(() => {});
  const response = await app.request('/animals', {}, catalogue.origin);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('Loading them takes too long.');
});

test('only developers are told that getPet is deprecated', async () => {
  const environment = { PETSTORE_BASE_URL: app.petStoreUrl, NODE_ENV: 'development' };
  await using development = await startCatalogue(environment);
  const page = await fetch(`${development.origin}/animals/1`);
  expect(await page.text()).toContain('getPet, which is deprecated and will be removed on 5 December 2030');
  expect(await (await app.request('/animals/1')).text()).not.toContain('deprecated');
});

test('a request that the browser cancels is cancelled at the pet store', async () => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  app.setFault(({ request }) => arrived.resolve(request));
  const controller = new AbortController();
  const response = app.request('/animals', { signal: controller.signal });
  const { socket } = await arrived.promise;
  controller.abort();
  await expect(response).rejects.toThrow('aborted');
  await expect.poll(() => socket.destroyed).toBe(true);
});

test('the pet store gets the request id and the trace of the browser, and nothing else of it', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const headers = { traceparent, 'X-Request-Id': 'from-the-proxy', 'X-Secret': 'secret', Cookie: 'a=secret' };
  let passed: object = {};
  app.setFault(({ request, response }) => {
    passed = request.headers;
    response.destroy();
  });
  const response = await app.request('/animals', { headers });
  expect(passed).toMatchObject({
    traceparent,
    'x-request-id': 'from-the-proxy',
    authorization: `Bearer ${FIXED_KEY}`,
  });
  expect(JSON.stringify(passed)).not.toMatch(/secret|ada/);
  expect(response.headers.get('x-request-id')).toBe('from-the-proxy');

  const other = await app.request('/healthz', { headers: { 'X-Request-Id': 'not <one>' } });
  expect(other.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
});

describe('a session', () => {
  test('needs the header of the proxy', async () => {
    expect((await fetch(`${app.catalogue.origin}/animals`)).status).toBe(401);
    expect((await app.request('/animals', { headers: { 'X-Forwarded-User': '' } })).status).toBe(401);
    expect(await (await app.request('/animals')).text()).toContain(USER);
  });

  test('has the name of the user in whatever script the proxy writes it', async () => {
    const pageFor = async (bytes: Buffer) => {
      const response = await app.request('/animals', {
        headers: { 'X-Forwarded-User': bytes.toString('latin1') },
      });
      return response.text();
    };
    expect(await pageFor(Buffer.from('Jiří Šťastný'))).toContain('>Jiří Šťastný<');
    expect(await pageFor(Buffer.from('José', 'latin1'))).toContain('>José<');
  });

  test('is not that of a header which comes from elsewhere than the proxy', async () => {
    const PETSTORE_BASE_URL = 'http://127.0.0.1:9/v1';
    await using catalogue = await startCatalogue({
      PETSTORE_BASE_URL,
      TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
    });
    expect((await app.request('/animals/new', {}, catalogue.origin)).status).toBe(401);
  });

  test('does not let other sites submit the form', async () => {
    const { host } = new URL(app.catalogue.origin);
    const submit = async (headers: Record<string, string>) => {
      const body = new URLSearchParams({ name: 'Forged', categoryId: 'none' });
      return (await app.request('/animals/new?key=forged', { method: 'POST', body, headers })).status;
    };
    const INVALID_FORM = 400;
    expect(await submit({ 'Sec-Fetch-Site': 'same-origin' })).toBe(INVALID_FORM);
    expect(await submit({ Origin: `https://${host}` })).toBe(INVALID_FORM);
    for (const site of ['cross-site', 'same-site'])
      expect(await submit({ 'Sec-Fetch-Site': site })).toBe(403);
    expect(await submit({ 'Sec-Fetch-Site': 'cross-site', Origin: `http://${host}` })).toBe(403);
    for (const origin of ['https://other.example', 'null'])
      expect(await submit({ Origin: origin })).toBe(403);
    expect(await submit({})).toBe(403);
  });
});
