import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { forwardUnchanged } from '@petstore/test-support/proxies/http-proxy';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { add, startCatalogue, textOf, useApp, waitForAnimal } from './support/app.ts';

const LARGEST = 2n ** 63n - 1n;

const app = useApp();

test('a rotated key needs no restart, and health checks need no user', async () => {
  await using folder = await temporaryFolder();
  const PETSTORE_API_KEY_FILE = folder.file('key');
  writeFileSync(PETSTORE_API_KEY_FILE, 'not-a-key-of-the-pet-store');
  const environment = { PETSTORE_BASE_URL: app().petStoreUrl, PETSTORE_API_KEY: '', PETSTORE_API_KEY_FILE };
  await using catalogue = await startCatalogue(environment);
  expect((await fetch(`${catalogue.origin}/healthz`)).status).toBe(200);
  expect((await app().request('/animals', {}, catalogue.origin)).status).toBe(502);
  await expect.poll(() => catalogue.output()).toContain('invalid_api_key: The API key');
  writeFileSync(PETSTORE_API_KEY_FILE, `${FIXED_KEY}\n`);
  expect((await app().request('/animals', {}, catalogue.origin)).status).toBe(200);
});

test('a request in progress finishes after SIGTERM', async () => {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using catalogue = await startCatalogue({ PETSTORE_BASE_URL: app().petStoreUrl });
  app().setFault(async (passage) => {
    arrived.resolve();
    await released.promise;
    await forwardUnchanged(passage);
  });
  const response = app().request('/animals', {}, catalogue.origin);
  await arrived.promise;
  const stopped = catalogue.stop('SIGTERM');
  await expect.poll(() => catalogue.output()).toContain('Stopping');
  const start = performance.now();
  released.resolve();
  expect((await response).status).toBe(200);
  expect((await stopped).code).toBe(0);
  // The process closes idle connections. Otherwise it would wait 20 seconds for them.
  expect(performance.now() - start).toBeLessThan(15_000);
});

test('pages show category names, and the form lists categories by name', async () => {
  await using folder = await temporaryFolder();
  const CATEGORIES_FILE = folder.file('categories.json');
  writeFileSync(
    CATEGORIES_FILE,
    JSON.stringify({ 2: 'Rabbits & rodents', '-3': 'Dogs', [`${LARGEST}`]: 'Cats' }),
  );
  await using catalogue = await startCatalogue({ PETSTORE_BASE_URL: app().petStoreUrl, CATEGORIES_FILE });
  for (const categoryId of [-3, 2, 7]) await app().store.createPet({ name: 'Rex', categoryId });

  const page = await app().open('/animals', { baseURL: catalogue.origin });
  const categories = ['Dogs', 'Rabbits & rodents', 'Category 7'];
  expect(await page.locator('.animals .muted:nth-child(2)').allTextContents()).toEqual(categories);
  await page.goto('/animals/new');
  const choices = await page.getByLabel('Category').getByRole('option').allTextContents();
  expect(choices).toEqual(['Choose a category', 'Cats', 'Dogs', 'Rabbits & rodents']);
  await page.getByLabel('Name').fill('Tom');
  await page.getByLabel('Category').selectOption('Cats');
  await add(page);
  await waitForAnimal(page);
  expect(await textOf(page, 'dl')).toContain('Cats');
  expect(await app().store.getPet(4)).toMatchObject({ name: 'Tom', categoryId: LARGEST });
});

test('the log has lines for people with LOG_FORMAT=text, also of a request that the client repeats', async () => {
  const environment = { LOG_FORMAT: 'text', LOG_LEVEL: 'debug', NODE_ENV: 'development' };
  await using catalogue = await startCatalogue({ PETSTORE_BASE_URL: app().petStoreUrl, ...environment });
  app().setFault(({ response }) => response.destroy());
  expect((await app().request('/animals', {}, catalogue.origin)).status).toBe(503);
  await expect.poll(catalogue.output).toMatch(/ ERROR: GET \/animals 503 \d+ ms \{"requestId":/);
  expect(catalogue.output()).toMatch(/ DEBUG: Retrying /);
  const isLogLine = /^(\[\d\d:\d\d:\d\d\.\d{3}\] [A-Z]+: | {4}error: )/;
  const lines = catalogue.output().trim().split('\n');
  expect(lines.filter((line) => !isLogLine.test(line))).toEqual([]);
});

const REQUIRED = { PETSTORE_BASE_URL: 'http://pets.example/v1', PETSTORE_API_KEY: 'key' };

test.each([
  [{ PETSTORE_BASE_URL: '' }, 'PETSTORE_BASE_URL is required'],
  [{ PETSTORE_BASE_URL: 'pets.example/v1' }, 'PETSTORE_BASE_URL must be an http(s) URL that ends with /v1'],
  [{ PETSTORE_API_KEY: '' }, 'PETSTORE_API_KEY or PETSTORE_API_KEY_FILE is required'],
  [{ PETSTORE_API_KEY_FILE: '/none' }, 'PETSTORE_API_KEY_FILE must be a file'],
  [{ PORT: '70000' }, 'PORT must be an integer from 0 to 65535'],
  [{ PORT: ' ' }, 'PORT must be an integer from 0 to 65535'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be addresses or networks'],
  [{ TRUSTED_USER_HEADER: 'a b' }, 'TRUSTED_USER_HEADER must be the name of a header'],
  [{ CATEGORIES_FILE: '/none' }, 'CATEGORIES_FILE /none must be JSON'],
])('readConfig refuses %o with the name of the variable and what is allowed', (environment, message) => {
  expect(() => readConfig({ ...REQUIRED, ...environment })).toThrow(message);
});

const INVALID_CATEGORIES = ['[]', '{"7": "Dogs",\n', '{"seven": "Dogs"}', '{"7": " \u200b"}'];

test.each(INVALID_CATEGORIES)(
  'the categories %s are refused in one line with the name of the file',
  async (content) => {
    await using folder = await temporaryFolder();
    const CATEGORIES_FILE = folder.file('categories.json');
    writeFileSync(CATEGORIES_FILE, content);
    const message = /^CATEGORIES_FILE \/.*categories\.json must be JSON with a name for each number.*$/;
    expect(() => readConfig({ ...REQUIRED, CATEGORIES_FILE })).toThrow(message);
  },
);

test.each([
  [{ PETSTORE_BASE_URL: 'http://a:b@pets.example/v1' }, '.*must not contain a user name or a password.*'],
  [{ PETSTORE_BASE_URL: 'http://pets.example/v1', HOST: '203.0.113.1' }, '.*EADDRNOTAVAIL.*'],
])('a start with %o ends with one line and code 1', async (environment, line) => {
  const end = new RegExp(`ended with 1: catalogue: ${line}\\n$`);
  await expect(startCatalogue(environment)).rejects.toThrow(end);
});
