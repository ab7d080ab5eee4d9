import { expect, test } from 'vitest';
import { add, fillForm, follow, names, textOf, useApp } from './support/app.ts';

const WITHOUT_JAVASCRIPT = { javaScriptEnabled: false };

/** Pets are inserted by SQL, because so many requests would take long. */
const insertPets = (count: number, status: string) => `
  insert into pets (name, category_id, status)
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
  select '${status} ' || n, n % 100, '${status}' from numbers`;

const app = useApp(async ({ database }) => {
  await database.run(insertPets(130, 'pending'));
  await database.run(insertPets(2, 'sold'));
});

test('the list shows the animals of a status, page after page, without JavaScript', async () => {
  const page = await app().open('/animals', WITHOUT_JAVASCRIPT);
  await follow(page, 'Sold');
  expect(await names(page)).toEqual(['sold 1', 'sold 2']);

  await follow(page, 'Pending');
  const pages = [await names(page)];
  while ((await page.getByRole('link', { name: 'Next page' }).count()) > 0) {
    await follow(page, 'Next page');
    pages.push(await names(page));
  }
  expect(pages.map((page) => page.length)).toEqual([60, 60, 10]);
  expect(pages.flat()).toEqual(Array.from({ length: 130 }, (_, index) => `pending ${index + 1}`));

  await follow(page, 'Pending');
  expect(await names(page)).toEqual(pages[0]);
});

test('each page has a title, and near its beginning the ways to the next and the first page', async () => {
  const page = await app().open('/animals?status=pending');
  await follow(page, 'Next page');
  expect(await page.title()).toBe('Pending animals from No. 61 · Adoption catalogue');
  const reachable: (string | null)[] = [];
  for (let tab = 1; tab <= 12; tab += 1) {
    await page.keyboard.press('Tab');
    reachable.push(await page.locator(':focus').textContent());
  }
  expect(reachable).toEqual(expect.arrayContaining(['First page', 'Next page']));
  await follow(page, 'First page');
  expect((await names(page))[0]).toBe('pending 1');
  await page.goto('/animals?status=sold');
  await expect.poll(() => page.getByRole('link', { name: /page/ }).count()).toBe(0);
});

test('the links back from an animal and from the form lead to the same page of the list', async () => {
  const page = await app().open('/animals?status=pending');
  await follow(page, 'Next page');
  const { href: second } = new URL(page.url());
  await page.getByRole('link', { name: 'pending 100' }).click();
  await page.getByRole('link', { name: 'Pending animals' }).click();
  await page.waitForURL(`${second}#animal-*`);
  expect((await page.getByText('pending 100').boundingBox())?.y).toSatisfy((y) => y > 0 && y < 720);

  await page.getByRole('link', { name: 'Add an animal' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL(second);
});

test('the list begins with the animals that this browser has just added, the newest first', async () => {
  const page = await app().open('/animals?status=sold', WITHOUT_JAVASCRIPT);
  for (const name of ['Newcomer', 'Newest']) {
    await page.getByRole('link', { name: 'Add an animal' }).click();
    await fillForm(page, name, '7');
    await page.getByLabel('Status').selectOption('Pending');
    await add(page);
  }
  await page.getByRole('link', { name: 'Pending animals' }).click();
  await page.waitForURL('**/animals?status=pending#animal-*');
  expect(await names(page)).toEqual(expect.arrayContaining(['pending 1', 'pending 60']));
  const justAdded = page.getByRole('region', { name: 'Just added by you' });
  expect(await justAdded.locator('strong').allTextContents()).toEqual(['Newest', 'Newcomer']);

  // The page that lists these animals anyway does not repeat them. Lists of another status do not have them.
  await follow(page, 'Next page');
  await follow(page, 'Next page');
  expect((await names(page)).slice(-2)).toEqual(['Newcomer', 'Newest']);
  expect(await justAdded.count()).toBe(0);
  await follow(page, 'Sold');
  expect(await justAdded.count()).toBe(0);
  const otherBrowser = await app().request('/animals?status=pending');
  expect(await otherBrowser.text()).not.toContain('Just added');
});

test('the page about an unavailable service has the request id, and reloads once the service is back', async () => {
  await app().stopServer();
  const page = await app().open('/animals?status=sold');
  expect(await textOf(page, 'h1')).toBe('The animals cannot be shown right now');
  const requestId = await textOf(page, 'code');
  await expect.poll(() => app().catalogue.output()).toContain(`"requestId":"${requestId}"`);
  const response = await page.reload();
  expect(response?.status()).toBe(503);
  expect(Number(response?.headers()['retry-after'])).toBeGreaterThan(0);

  await app().startServer();
  await expect.poll(() => names(page), { timeout: 30_000 }).toEqual(['sold 1', 'sold 2']);
});

test('a page about a refused request says why, and waits as long as Retry-After asks', async () => {
  const page = await app().open('/healthz');
  await page.clock.install();
  const body = JSON.stringify({ code: 'rate_limited', message: 'Too many requests.', status: 429 });
  app().setFault(({ response }) => {
    response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '120' }).end(body);
  });
  const response = await page.goto('/animals?status=sold');
  expect(response?.headers()['retry-after']).toBe('120');
  expect(await textOf(page, 'article')).toMatch(/takes no more requests.*by itself in 2 minutes/);

  app().setFault();
  await page.clock.runFor(110_000);
  expect(await textOf(page, 'h1')).toBe('The animals cannot be shown right now');
  await page.clock.runFor(15_000);
  await expect.poll(() => names(page)).toEqual(['sold 1', 'sold 2']);
});

test.each([
  [500, 'has failed'],
  [503, 'is not available at the moment'],
  [undefined, 'does not respond'],
])('a page about the status %s of the pet store says that it %s', async (status, text) => {
  app().setFault(({ response }) => {
    if (status === undefined) response.destroy();
    else response.writeHead(status).end();
  });
  const response = await app().request('/animals/1');
  expect(response.status).toBe(503);
  expect(await response.text()).toContain(`The service behind this catalogue ${text}.`);
});
