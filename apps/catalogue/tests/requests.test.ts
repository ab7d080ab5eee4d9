import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { FIXED_KEY, runCli } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { add, fillForm, startCatalogue, textOf, USER, useApp } from './support/app.ts';

const app = useApp(({ store }) => store.createPet({ name: 'Rex', categoryId: 7, status: 'available' }));

test.each([
  ['1', 1],
  [' No. 1 ', 1],
  ['#001', 1],
  ['9223372036854775807', 2n ** 63n - 1n],
])('the number "%s" leads to animal %s', async (number, id) => {
  const response = await app().request(`/animals?${new URLSearchParams({ status: 'sold', number })}`);
  expect(response.headers.get('location')).toBe(`/animals/${id}?status=sold`);
});

test.each(['Rex', '-5', '0', '1.5', '9223372036854775808', ' '])(
  'the number "%s" leads to no animal, and the list says what a number is',
  async (number) => {
    const response = await app().request(`/animals?${new URLSearchParams({ status: 'sold', number })}`);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain('Enter the number of an animal, such as 7');
    expect(page).toContain(`value="${number}"`);
    expect(page).toContain('<h1>Sold animals</h1>');
  },
);

const UNKNOWN = ['/animals/404', '/animals/seven', '/animals?cursor=stolen', '/elsewhere', '/assets/none.js'];

test.each(UNKNOWN)('%s is not found', async (path) => {
  expect((await app().request(path)).status).toBe(404);
});

test('an invalid or too long form is refused', async () => {
  const post = async (body: string | URLSearchParams, path = '/animals/new?key=k') => {
    const init = { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin' } };
    return (await app().request(path, init)).status;
  };
  expect(await post('{}')).toBe(400);
  expect(await post(new URLSearchParams({ name: 'x', categoryId: '7' }), '/animals/new')).toBe(400);
  expect(await post(new URLSearchParams({ name: 'x'.repeat(70_000), categoryId: '7' }))).toBe(400);
});

test('a form that the pet store refuses comes back as it was filled in', async () => {
  const command = ['keys', 'create', '--name', 'reader', '--scope', 'read'];
  const created = await runCli(command, { DATABASE_URL: app().database.url });
  const environment = { PETSTORE_BASE_URL: app().petStoreUrl, PETSTORE_API_KEY: created.stdout.trim() };
  await using catalogue = await startCatalogue(environment);
  const page = await app().open('/animals/new', { baseURL: catalogue.origin });
  await fillForm(page, 'Kept "Ñandú"', '42');
  await add(page);
  expect(await textOf(page, '.notice.error')).toContain('The animal was not added.');
  expect(await page.getByLabel('Name').inputValue()).toBe('Kept "Ñandú"');
  expect(await page.getByLabel('Category').inputValue()).toBe('42');
  expect(catalogue.output()).toContain('The API key may only read.');
});

test('the pet store gets the request id of the browser, and nothing else from the browser', async () => {
  const headers = { 'X-Request-Id': 'from-the-proxy', 'X-Secret': 'secret', Cookie: 'a=secret' };
  let passed: IncomingMessage['headers'] = {};
  app().setFault(({ request, response }) => {
    passed = request.headers;
    response.destroy();
  });
  const response = await app().request('/animals', { headers });
  expect(passed).toMatchObject({ 'x-request-id': 'from-the-proxy', authorization: `Bearer ${FIXED_KEY}` });
  expect(JSON.stringify(passed)).not.toMatch(/secret|ada@/);
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
      await app().request(path, { headers });
      await app().request(path, { method: 'POST', headers });
    }
  }
  await app().request('/animals', { headers: { 'X-Request-Id': 'the-last' } });
  await expect.poll(() => app().catalogue.output()).toContain('the-last');
  for (const route of ['/animals/:id', '/animals/new', '/*']) {
    expect(app().catalogue.output()).toContain(`"route":"${route}"`);
  }
  for (const key of [issued, FIXED_KEY, '70st_']) expect(app().catalogue.output()).not.toContain(key);
});

test('pages violate no security policy, and never contain the API key', async () => {
  const page = await app().open('/healthz');
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

test('a page needs the user header of the proxy, and shows a user name in any script', async () => {
  const refused = await fetch(`${app().catalogue.origin}/animals`);
  expect(refused.status).toBe(401);
  // A link would lead to the same page.
  expect(await refused.text()).not.toContain('<a ');
  expect((await app().request('/animals', { headers: { 'X-Forwarded-User': '' } })).status).toBe(401);
  const headers = { 'X-Forwarded-User': Buffer.from('Jiří Šťastný').toString('latin1') };
  expect(await (await app().request('/animals', { headers })).text()).toContain('>Jiří Šťastný<');
});

test('the user header is ignored in requests that do not come from the proxy', async () => {
  const TRUSTED_PROXIES = '10.0.0.0/8, fd00::/8';
  await using catalogue = await startCatalogue({ PETSTORE_BASE_URL: app().petStoreUrl, TRUSTED_PROXIES });
  expect((await app().request('/animals/new', {}, catalogue.origin)).status).toBe(401);
});

// An accepted form responds 400 here, because it is invalid.
test.each([
  [{ 'Sec-Fetch-Site': 'same-origin' }, 400],
  [{ 'Sec-Fetch-Site': 'none' }, 400],
  [{ Origin: 'https://catalogue.example', Host: 'catalogue.example' }, 400],
  [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ Origin: 'https://other.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{}, 403],
])('a form with the headers %o gets the status %i', async (headers, status) => {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const options = { method: 'POST', headers: { 'X-Forwarded-User': USER, ...type, ...headers } };
  // fetch sets Host itself.
  const request = sendRequest(`${app().catalogue.origin}/animals/new?key=forged`, options);
  request.end('name=Forged&categoryId=none');
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(status);
});
