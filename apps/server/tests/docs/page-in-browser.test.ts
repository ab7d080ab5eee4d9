import { Pet, parseJson } from '@petstore/contract';
import { launchBrowser } from '@petstore/test-support/browser';
import { expect, test, vi } from 'vitest';
import { startApp } from '#support/app';

// A browser on a busy machine is slow, and this test does not measure its speed.
vi.setConfig({ testTimeout: 240_000 });

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newPage']>>;

/** Opens an operation in the page's client, presses Send, and returns the response. */
async function tryOperation(page: Page, summary: string, route: string) {
  await page.getByRole('link', { name: summary }).click();
  await page.getByRole('button', { name: `Test Request (${route})` }).click();
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/v1/')),
    page.getByRole('button', { name: /^Send (get|post) request/ }).click(),
  ]);
  const body = parseJson(await response.text());
  await page.keyboard.press('Escape');
  return { status: response.status(), body };
}

test('a reader of /docs enters a key, and lists, creates and fetches pets by pressing Send, without an error or another origin, and no storage keeps the key', async () => {
  await using app = await startApp();
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${app.origin}/docs`);
  const keyField = page.getByPlaceholder('Token').first();
  await keyField.fill(app.apiKey);

  const created = await tryOperation(page, 'Add a pet', 'post /pets');
  const listed = await tryOperation(page, 'List pets', 'get /pets');
  const fetched = await tryOperation(page, 'Fetch one pet', 'get /pets/{petId}');

  const pet = Pet.parse(created.body);
  expect(created.status).toBe(201);
  expect(listed).toEqual({ status: 200, body: [pet] });
  expect(fetched).toEqual({ status: 200, body: pet });
  expect(origins).toEqual(new Set([app.origin]));
  expect(complaints).toEqual([]);
  await page.getByText('int64').first().waitFor();
  expect(await page.locator('body').textContent(), 'rounded bounds').not.toContain('9223372036854776');
  expect(await page.getByText('Production').count(), 'Production on localhost').toBe(0);
  const download = page.getByRole('link', { name: 'Download OpenAPI Document' });
  expect(await download.first().getAttribute('href'), 'a relative URL, for any prefix').toBe('openapi.json');
  await page.reload();

  expect(await keyField.inputValue()).toBe('');
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(stored).not.toContain(app.apiKey);
});
