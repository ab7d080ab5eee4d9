import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { findHtmlErrors } from '@petstore/test-support/html';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from './support/app.ts';
import { runCatalogue } from './support/catalogue.ts';
import { add, textOf } from './support/pages.ts';

const LARGEST = 2n ** 63n - 1n;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let app: App;

function writeCategories(content: string | Uint8Array): string {
  const file = folder.file('categories.json');
  writeFileSync(file, content);
  return file;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const categories = { 2: 'Rabbits & rodents', '-3': 'Dogs', [`${LARGEST}`]: 'Cats' };
  app = await startApp({ CATEGORIES_FILE: writeCategories(JSON.stringify(categories)) });
  for (const categoryId of [-3, 2, 7]) {
    await app.store.createPet({ name: 'Rex', categoryId, status: 'available' });
  }
});

afterEach(() => app.reset());

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('an animal has the name of its category, or the number where there is no name', async () => {
  const page = await app.open('/animals');
  expect(await page.locator('.animal .category').allTextContents()).toEqual([
    'Dogs',
    'Rabbits & rodents',
    'Category 7',
  ]);
  await page.goto('/animals/1');
  expect(await page.getByRole('definition').allTextContents()).toEqual(['1', 'Dogs']);
});

test('the form offers the categories in the order of their names, and adds the number of the chosen one', async () => {
  const page = await app.open('/animals/new');
  const choices = page.getByLabel('Category').getByRole('option');
  expect(await choices.allTextContents()).toEqual(['Choose a category', 'Cats', 'Dogs', 'Rabbits & rodents']);
  await page.getByLabel('Name').fill('Tom');
  await add(page);
  expect(await textOf(page, '#categoryId-error')).toBe('Category is required');

  await page.getByLabel('Category').selectOption('Cats');
  await add(page);
  await page.waitForURL('**/animals/4?added=now');
  expect(await textOf(page, '.profile')).toContain('Cats');
  expect(await app.store.getPet(4)).toMatchObject({ name: 'Tom', categoryId: LARGEST });
});

test('a form that comes back has the chosen category', async () => {
  const body = new URLSearchParams({ name: ' ', categoryId: '-3' });
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const response = await app.request('/animals/new?key=again', { method: 'POST', body, headers });
  const page = await response.text();
  expect(page).toContain('<option value="-3" selected>Dogs</option>');
  expect(await findHtmlErrors(page)).toEqual([]);
});

const startWith = (CATEGORIES_FILE: string) =>
  runCatalogue({ PETSTORE_BASE_URL: app.petStoreUrl, PETSTORE_API_KEY: 'key', CATEGORIES_FILE });

const NO_NAMES = 'must be a JSON object with a name for each number, such as {"7": "Dogs"}';

test('without the file the start ends with one line and code 1', async () => {
  const CATEGORIES_FILE = folder.file('none.json');
  const { code, output } = await startWith(CATEGORIES_FILE);
  expect(output).toMatch(/^catalogue: CATEGORIES_FILE .*none.json: ENOENT.*\n$/);
  expect(code).toBe(1);
});

test.each([
  ['[]', NO_NAMES],
  ['null', NO_NAMES],
  ['{}', NO_NAMES],
  ['{"7": "Dogs",\n', 'JSON'],
  ['{"seven": "Dogs"}', '"seven" must be the number of a category, such as "7"'],
  ['{"07": "Dogs"}', '"07" must be'],
  ['{"9223372036854775808": "Dogs"}', '"9223372036854775808" must be'],
  ['{"7": 7}', 'the name of category 7 must be a text that is not empty'],
  ['{"7": " "}', 'the name of category 7 must be'],
  ['{"7": "Dogs", "8": "Dogs"}', 'categories 7 and 8 have the same name'],
  [Buffer.from('{"7": "Köter"}', 'latin1'), 'not valid for encoding utf-8'],
])('with the categories %s the start ends with one line and code 1', async (content, message) => {
  const file = writeCategories(content);
  const { code, output } = await startWith(file);
  expect(output).toMatch(/^catalogue: CATEGORIES_FILE .*\n$/);
  expect(output).toContain(file);
  expect(output).toContain(message);
  expect(code).toBe(1);
});
