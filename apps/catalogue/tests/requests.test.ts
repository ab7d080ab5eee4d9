import type { IncomingMessage } from 'node:http';
import { FIXED_KEY, runCli } from '@petstore/test-support/servers/server-process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type App, add, fillForm, startApp, startCatalogue } from './support/app.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
  await app.store.createPet({ name: 'Rex', categoryId: 7, status: 'available' });
});

afterEach(() => app.reset());

afterAll(() => app[Symbol.asyncDispose]());

test('an animal is opened by its number, also as it stands on its card', async () => {
  const page = await app.open('/animals');
  for (const number of ['1', ' No. 1 ', '001']) {
    await page.goto('/animals');
    await page.getByLabel('Number').fill(number);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.waitForURL('**/animals/1');
    expect(await page.locator('h1').textContent()).toBe('Rex');
  }
});

test.each([
  '/animals/404',
  '/animals/9223372036854775808',
  '/animals/seven',
  '/animals?cursor=stolen',
  '/elsewhere',
  '/assets/none.js',
])('%s is not found', async (path) => {
  expect((await app.request(path)).status).toBe(404);
});

test('a form that is none, or too long, is refused', async () => {
  const post = async (body: string | URLSearchParams | FormData, path = '/animals/new?key=k') => {
    const init = { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin' } };
    return (await app.request(path, init)).status;
  };
  const file = new FormData();
  file.set('name', new File(['Rex'], 'rex.txt'));
  expect(await post('{}')).toBe(400);
  expect(await post(file)).toBe(400);
  expect(await post(new URLSearchParams({ name: 'x', categoryId: '7' }), '/animals/new')).toBe(400);
  expect(await post(new URLSearchParams({ name: 'x'.repeat(70_000), categoryId: '7' }))).toBe(400);
});

test('a form that the pet store does not allow comes back as it was filled in', async () => {
  const environment = { DATABASE_URL: app.database.url };
  const created = await runCli(['keys', 'create', '--name', 'reader', '--scope', 'read'], environment);
  await using catalogue = await startCatalogue({
    PETSTORE_BASE_URL: app.petStoreUrl,
    PETSTORE_API_KEY: created.stdout.trim(),
  });
  const page = await app.open('/animals/new', { baseURL: catalogue.origin });
  await fillForm(page, 'Kept "Ñandú"', '42');
  await add(page);
  await page.getByText('The animal was not added.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Kept "Ñandú"');
  expect(await page.getByLabel('Category').inputValue()).toBe('42');
  expect(catalogue.output()).toContain('The API key may only read.');
});

test('a pet store that is slow becomes a page that says so', async () => {
  const environment = { PETSTORE_BASE_URL: app.petStoreUrl, PETSTORE_TIMEOUT_MS: '1000' };
  await using catalogue = await startCatalogue(environment);
  app.setFault(() => {});
  const response = await app.request('/animals', {}, catalogue.origin);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('does not respond');
});

test('the pet store gets the request id of the browser, and nothing else of it', async () => {
  const headers = { 'X-Request-Id': 'from-the-proxy', 'X-Secret': 'secret', Cookie: 'a=secret' };
  let passed: IncomingMessage['headers'] = {};
  app.setFault(({ request, response }) => {
    passed = request.headers;
    response.destroy();
  });
  const response = await app.request('/animals', { headers });
  expect(passed).toMatchObject({ 'x-request-id': 'from-the-proxy', authorization: `Bearer ${FIXED_KEY}` });
  expect(JSON.stringify(passed)).not.toMatch(/secret|ada/);
  expect(response.headers.get('x-request-id')).toBe('from-the-proxy');
});

test('the log has no API key, wherever a caller writes one', async () => {
  const issued = `pst_${'x'.repeat(38)}`;
  for (const key of [issued, FIXED_KEY]) {
    const headers = { 'X-Request-Id': key, 'X-Forwarded-User': key };
    for (const path of [
      `/animals/${key}`,
      `/${key}`,
      `/%70st_xyz`,
      `/animals?number=${key}`,
      `/animals/new?key=${key}`,
    ]) {
      await app.request(path, { headers });
      await app.request(path, { method: 'POST', headers });
    }
  }
  await app.request('/animals', { headers: { 'X-Request-Id': 'the-last' } });
  await expect.poll(() => app.catalogue.output()).toContain('the-last');
  for (const route of ['/animals/:id', '/animals/new', '/*']) {
    expect(app.catalogue.output()).toContain(`"route":"${route}"`);
  }
  for (const key of [issued, FIXED_KEY, '70st_']) expect(app.catalogue.output()).not.toContain(key);
});

test('the browser meets no error of the security policy, and never the API key', async () => {
  const page = await app.open('/healthz');
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  for (const path of ['/animals', '/animals/1', '/animals/new']) {
    const response = await page.goto(path);
    expect(await response?.text()).not.toContain(FIXED_KEY);
    expect(response?.headers()['content-security-policy']).toMatch(
      /^default-src 'self'; img-src 'self' data:;/,
    );
  }
  expect(complaints).toEqual([]);
});

describe('a session', () => {
  test('needs the header of the proxy, and has the name in whatever script', async () => {
    expect((await fetch(`${app.catalogue.origin}/animals`)).status).toBe(401);
    expect((await app.request('/animals', { headers: { 'X-Forwarded-User': '' } })).status).toBe(401);
    const headers = { 'X-Forwarded-User': Buffer.from('Jiří Šťastný').toString('latin1') };
    expect(await (await app.request('/animals', { headers })).text()).toContain('>Jiří Šťastný<');
  });

  test('is not that of a header which comes from elsewhere than the proxy', async () => {
    const TRUSTED_PROXIES = '10.0.0.0/8, fd00::/8';
    await using catalogue = await startCatalogue({ PETSTORE_BASE_URL: app.petStoreUrl, TRUSTED_PROXIES });
    expect((await app.request('/animals/new', {}, catalogue.origin)).status).toBe(401);
  });

  test('does not let other sites submit the form', async () => {
    const submit = async (headers: Record<string, string>) => {
      const body = new URLSearchParams({ name: 'Forged', categoryId: 'none' });
      return (await app.request('/animals/new?key=forged', { method: 'POST', body, headers })).status;
    };
    const INVALID_FORM = 400;
    expect(await submit({ 'Sec-Fetch-Site': 'same-origin' })).toBe(INVALID_FORM);
    // Over plain HTTP browsers send Origin alone.
    expect(await submit({ Origin: app.catalogue.origin })).toBe(INVALID_FORM);
    for (const site of ['cross-site', 'same-site'])
      expect(await submit({ 'Sec-Fetch-Site': site })).toBe(403);
    for (const origin of ['https://other.example', 'null'])
      expect(await submit({ Origin: origin })).toBe(403);
    expect(await submit({})).toBe(403);
  });
});
