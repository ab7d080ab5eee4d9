import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { fieldNames, genericFieldNames, isRequired } from '../src/new-pet-form.ts';
import { fillForm, pressAdd, useApp, waitForAnimal } from './support/app.ts';

const app = await useApp();

const BEYOND_DOUBLES = 2n ** 53n + 1n;

test('in an empty pet store, pressing Add twice adds one animal, which the user sees', async () => {
  const page = await app.open('/');
  expect(await page.textContent('main')).toContain('There are no animals here yet.');
  await page.getByRole('link', { name: 'Add the first animal' }).click();
  await fillForm(page, 'Ñandú 🦤', `${BEYOND_DOUBLES}`);
  let requests = 0;
  app.setFault(async (...request) => {
    requests += 1;
    await expect.poll(() => requests).toBeGreaterThan(1);
    return app.forward(...request);
  });
  // `click` would wait for the page that follows.
  await page.getByRole('button', { name: 'Add' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => requests).toBe(1);
  await page.keyboard.press('Enter');

  await waitForAnimal(page);
  expect(await page.textContent('[role=status]')).toMatch(/^Ñandú 🦤 was added/);
  const others = genericFieldNames.flatMap((name) => app.pets[0]?.[name] ?? []); // None, until the contract grows.
  expect(await page.getByRole('definition').allTextContents()).toEqual(['1', `${BEYOND_DOUBLES}`, ...others]);
  expect(await page.textContent('main .status')).toBe('Available');
  expect(app.pets).toMatchObject([{ name: 'Ñandú 🦤', categoryId: BEYOND_DOUBLES, status: 'available' }]);

  const another = await page.getByRole('link', { name: 'Add another' }).getAttribute('href');
  expect(another).toBe(`/animals/new?categoryId=${BEYOND_DOUBLES}&status=available`);
  // The notice appears once, not in a bookmark.
  await page.reload();
  expect(await page.getByRole('status').count()).toBe(0);
});

test('the form explains each invalid field, and adds the animal once all are corrected', async () => {
  const page = await app.open('/animals/new');
  const idsOf = (selector: string) => page.locator(selector).evaluateAll((all) => all.map(({ id }) => id));
  expect(await idsOf('[required]')).toEqual(fieldNames.filter(isRequired));
  await fillForm(page, ' \u200b\u3164', '9223372036854775808');
  await pressAdd(page);

  await page.getByText('Name is required').waitFor();
  const help = 'Category must be a whole number of at most 18 digits, such as 7';
  expect(await page.textContent('#categoryId-help')).toBe(help);
  expect(await idsOf('[aria-invalid]')).toEqual(['name', 'categoryId']);
  expect(await page.getByLabel('Category').inputValue()).toBe('9223372036854775808');
  expect(await page.locator(':focus').getAttribute('name')).toBe('name');
  // The help is simpler than the limits of int64: this category is the lowest one.
  // Pasted text may have spaces around it, control characters and noncharacters.
  await fillForm(page, '\u001ePut right\u0000\u0085\ufdd0', ' -9223372036854775808 ');
  await pressAdd(page);
  await waitForAnimal(page);
  expect(app.pets.at(-1)).toMatchObject({ name: 'Put right', categoryId: -(2n ** 63n) });
});

test('a form whose response was lost comes back as it was filled in, and Add adds the animal once, with a notice that outlasts an outage', async () => {
  const page = await app.open('/animals/new');
  await fillForm(page, 'Lost');
  app.setFault(app.loseResponse);
  await pressAdd(page);
  const notice = page.getByRole('alert');
  await notice.getByText('Press Add again').waitFor();
  expect(app.log.join()).toContain(`"requestId":"${await notice.locator('code').textContent()}"`);
  expect(await page.getByLabel('Name').inputValue()).toBe('Lost');

  // The first Add has added the animal. This one learns so, but the animal's page fails at first.
  app.setFault(async (url, init) =>
    init.method === 'POST' ? app.forward(url, init) : new Response(null, { status: 400 }),
  );
  await pressAdd(page);
  await page.getByText('Something went wrong').waitFor();
  app.setFault();
  const [cookie] = await page.context().cookies(page.url());
  const lifeMs = Number(cookie?.expires) * 1_000 - Date.now();
  expect(lifeMs > 120_000 && lifeMs < 3_600_000, 'the notice lasts minutes, not an hour').toBe(true);
  await page.reload();
  expect(await page.textContent('[role=status]')).toContain('Lost was added once');
  expect(app.countPets('Lost')).toBe(1);
});

test('a form leads to the sign-in of another origin once the session has ended', async () => {
  const headers = { 'Accept-Encoding': 'identity' };
  await using proxy = await serveFetch(async (_url, { method }) =>
    method === 'POST' ? Response.redirect(app.petStoreUrl) : app.request('/animals/new?key=k', { headers }),
  );
  const page = await app.open(`${proxy.origin}/animals/new`);
  await fillForm(page, 'Rex');
  await pressAdd(page);
  await page.waitForURL(app.petStoreUrl);
});

test('a form that was changed after its submission adds another animal only at the next Add', async () => {
  for (const key of ['one', 'other']) await app.submit(`/animals/new?key=${key}`, 'First');
  async function changeForm(key: string, name: string, counts: { before: number; after: number }) {
    const html = await app.submit(`/animals/new?key=${key}`, name);
    expect(html).toContain('Nothing was added now.');
    expect(app.countPets(name)).toBe(counts.before);
    const [, action = ''] = /<form action="([^"]*)" method="post"/.exec(html) ?? [];
    await app.submit(action, name);
    expect(app.countPets(name)).toBe(counts.after);
  }
  await changeForm('one', 'Second', { before: 0, after: 1 });
  // The browser goes back, and sends the changed form again.
  await changeForm('one', 'Second', { before: 1, after: 1 });
  await changeForm('one', 'Third', { before: 0, after: 1 });
  // Another form gets the same values.
  await changeForm('other', 'Third', { before: 1, after: 2 });
  expect(app.countPets('First')).toBe(2);
});

test('a form that the pet store refuses comes back as it was filled in, even with a name of 64,000 bytes', async () => {
  const refusal = { code: 'insufficient_scope', message: 'The API key may only read.', status: 403 };
  app.setFault(async () => Response.json(refusal, { status: 403 }));
  // The name takes 64,000 bytes in JSON, where a body may have 65,536, and 192,000 bytes in the form.
  const name = 'ñ'.repeat(32_000);
  const html = await app.submit('/animals/new?key=refused', name, { categoryId: '42', status: 'sold' });
  expect(html).toMatch(/class="notice error".*The animal was not added\./);
  for (const value of [name, '42']) expect(html).toContain(`value="${value}"`);
  expect(html).toContain('<option value="sold" selected');
  expect(app.log.join()).toContain('The API key may only read.');
});

test('a form whose response comes from a proxy says that the result is unknown', async () => {
  app.setFault(async () => new Response('<h1>OK</h1>'));
  const unknown = await app.submit('/animals/new?key=unknown', 'Unknown');
  expect(unknown).toMatch(/class="notice error".*It is unknown whether the animal was added\./);
});
