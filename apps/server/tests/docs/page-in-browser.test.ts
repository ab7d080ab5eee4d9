import { Pet, parseJson } from '@petstore/contract';
import { launchBrowser } from '@petstore/test-support/browser';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp } from '#support/app';

// A browser on a busy machine is slow, and these tests do not measure its speed.
vi.setConfig({ testTimeout: 240_000 });

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser[Symbol.asyncDispose]());

/** Opens `/docs` in a page that shares nothing with other pages, and records its requests and errors. */
async function openDocs(origin: string) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${origin}/docs`);
  return { page, requests, complaints, [Symbol.asyncDispose]: () => page.close() };
}

const keyField = (page: Page) => page.getByPlaceholder('Token').first();

/** Opens an operation in the page's client, as a reader does. */
async function openOperation(page: Page, summary: string, route: string) {
  await page.getByRole('link', { name: summary }).click();
  await page.getByRole('button', { name: `Test Request (${route})` }).click();
}

/** Presses Send, and returns the response that arrives. */
async function pressSend(page: Page) {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/v1/')),
    page.getByRole('button', { name: /^Send (get|post) request/ }).click(),
  ]);
  return { status: response.status(), body: parseJson(await response.text()) };
}

const close = (page: Page) => page.keyboard.press('Escape');

test('pets are listed, created twice and fetched by entering the key and pressing Send', async () => {
  await using app = await startApp();
  await using docs = await openDocs(app.origin);
  const { page, requests, complaints } = docs;
  await keyField(page).fill(app.apiKey);

  await openOperation(page, 'Add a pet', 'post /pets');
  const created = [await pressSend(page), await pressSend(page)];
  await close(page);
  await openOperation(page, 'List pets', 'get /pets');
  const listed = await pressSend(page);
  await close(page);
  await openOperation(page, 'Fetch one pet', 'get /pets/{petId}');
  const fetched = await pressSend(page);

  const pets = created.map(({ body }) => Pet.parse(body));
  expect(created.map(({ status }) => status)).toEqual([201, 201]);
  expect(pets.map(({ id }) => id)).toEqual([1, 2]);
  expect(listed).toEqual({ status: 200, body: pets });
  expect(fetched).toEqual({ status: 200, body: pets[0] });
  expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([app.origin]));
  expect(complaints).toEqual([]);
});

test('the key is nowhere in the browser after a reload', async () => {
  await using app = await startApp();
  await using docs = await openDocs(app.origin);
  const { page } = docs;
  await keyField(page).fill(app.apiKey);
  await page.reload();
  expect(await keyField(page).inputValue()).toBe('');
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(stored).not.toContain(app.apiKey);
});

test('the page shows no rounded integer, and offers its document and the server that it came from', async () => {
  await using app = await startApp();
  await using docs = await openDocs(app.origin);
  const { page } = docs;

  await page.getByText('This server', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Add a pet' }).click();
  await page.getByText('int64').first().waitFor();

  expect(await page.getByText('Production').count(), 'of a page on localhost').toBe(0);
  expect(await page.locator('body').textContent()).not.toContain('9223372036854776');
  const download = page.getByRole('link', { name: 'Download OpenAPI Document' });
  expect(await download.first().getAttribute('href')).toMatch(/openapi\.json$/);
});
