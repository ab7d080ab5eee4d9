import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, forwardUnchanged } from '@petstore/test-support/proxies/http-proxy';
import { expect, test } from 'vitest';
import { fieldNames, isRequired } from '../src/new-pet-form.ts';
import { add, fillForm, startCatalogue, textOf, useApp, waitForAnimal } from './support/app.ts';

const WITHOUT_JAVASCRIPT = { javaScriptEnabled: false };

/** Forwards the request, and cuts the connection instead of responding. */
const loseResponse: Fault = async ({ forward, response }) => {
  await forward();
  response.destroy();
};

const app = useApp();

const countAnimals = async (name: string) =>
  (await Array.fromAsync(app().store.pets({ pageSize: 100 }))).filter((pet) => pet.name === name).length;

test('a double click adds one animal, which the user sees and finds in the list', async () => {
  const page = await app().open('/');
  expect(await textOf(page, 'main')).toMatch(/There is no search.*There are no animals here yet\./);

  await page.getByRole('link', { name: 'Add an animal' }).click();
  await fillForm(page, 'Ñandú 🦤', '9007199254740993');
  expect(await textOf(page, 'main')).toContain('cannot be changed or removed later');
  await page.getByRole('button', { name: 'Add' }).dblclick();

  await waitForAnimal(page);
  expect(await textOf(page, '[role=status]')).toBe('Ñandú 🦤 was added.');
  const [id, categoryId] = await page.getByRole('definition').allTextContents();
  expect([id, categoryId]).toEqual(['1', '9007199254740993']);
  expect(await textOf(page, 'main .status')).toBe('Available');
  expect(await textOf(page, 'main')).toContain('nor mark it as sold');
  expect(await app().store.listPets()).toMatchObject([
    { id: 1, name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'available' },
  ]);

  // The notice appears once, not in a bookmark.
  await page.reload();
  expect(await page.getByRole('status').count()).toBe(0);
  await page.getByRole('link', { name: 'Available animals' }).click();
  await page.getByRole('link', { name: 'Ñandú' }).click();
  await page.waitForURL('**/animals/1?status=available');
});

test('an empty list leads to the form, and the next form begins with the category of the animal before', async () => {
  const page = await app().open('/animals?status=sold');
  await page.getByRole('link', { name: 'Add the first animal' }).click();
  await fillForm(page, 'First of two', '42');
  await add(page);
  await waitForAnimal(page);
  await page.getByRole('link', { name: 'Add another' }).click();
  await page.waitForURL('**/animals/new?key=*');
  expect(await page.getByLabel('Category').inputValue()).toBe('42');
  expect(await page.getByLabel('Name').inputValue()).toBe('');
});

test('the form explains each invalid field, and adds the animal once all are corrected', async () => {
  const page = await app().open('/animals/new');
  const required = page.locator('[required]').evaluateAll((controls) => controls.map(({ id }) => id));
  expect(await required).toEqual(fieldNames.filter(isRequired));
  await fillForm(page, ' \u200b\u3164', '9223372036854775808');
  await add(page);

  await page.getByText('Name is required').waitFor();
  expect(await textOf(page, '#categoryId-help')).toBe(
    'Category must be a whole number of at most 18 digits, such as 7',
  );
  expect(await page.getByLabel('Category').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Category').inputValue()).toBe('9223372036854775808');
  expect(await page.locator(':focus').getAttribute('name')).toBe('name');
  await fillForm(page, '\u001ePut right\u0000\u0085', '-9223372036854775808');
  await add(page);
  await waitForAnimal(page);
  expect(await countAnimals('Put right')).toBe(1);
});

test.each([{ javaScriptEnabled: true }, WITHOUT_JAVASCRIPT])(
  'Back and Add, a reload and Add, and a restored link add one animal and say so, with %o',
  async (options) => {
    const page = await app().open('/animals/new', options);
    const link = page.url();
    const name = `Once ${options.javaScriptEnabled}`;
    await fillForm(page, name, '7');
    await add(page);
    const animal = await waitForAnimal(page);

    const goBack = () => page.goBack();
    const goBackAndReload = () => goBack().then(() => page.reload());
    for (const showForm of [goBack, goBackAndReload, () => page.goto(link)]) {
      await showForm();
      await fillForm(page, name, '7');
      await add(page);
      await page.waitForURL((url) => url.pathname === animal);
    }
    expect(await textOf(page, '[role=status]')).toContain('was added once');
    expect(await countAnimals(name)).toBe(1);
  },
);

test('the page says that the animal was added now if the client repeats a request without a response', async () => {
  const page = await app().open('/animals/new');
  await fillForm(page, 'Repeated', '7');
  app().setFault(async (passage) => {
    app().setFault();
    await loseResponse(passage);
  });
  await add(page);
  await waitForAnimal(page);
  expect(await textOf(page, '[role=status]')).toBe('Repeated was added.');
  expect(await countAnimals('Repeated')).toBe(1);
});

test('the catalogue waits for a response that takes more than half of PETSTORE_TIMEOUT_MS', async () => {
  const environment = { PETSTORE_BASE_URL: app().petStoreUrl, PETSTORE_TIMEOUT_MS: '12000' };
  await using catalogue = await startCatalogue(environment);
  const page = await app().open('/animals/new', { baseURL: catalogue.origin });
  await fillForm(page, 'Slow', '7');
  app().setFault(async (passage) => {
    if (passage.request.method === 'POST') await sleep(7_000);
    await forwardUnchanged(passage);
  });
  await add(page);
  await waitForAnimal(page);
  expect(await textOf(page, '[role=status]')).toBe('Slow was added.');
  expect(await countAnimals('Slow')).toBe(1);
});

test('the page submits a form again by itself when all responses were lost', async () => {
  const page = await app().open('/animals/new');
  await fillForm(page, 'Lost', '7');
  app().setFault(loseResponse);
  await add(page);
  const notice = page.getByRole('alert');
  await notice.getByText('tries again by itself').waitFor();
  expect(await notice.textContent()).not.toContain('Press Add');
  const requestId = await notice.locator('code').textContent();
  await expect.poll(() => app().catalogue.output()).toContain(`"requestId":"${requestId}"`);
  expect(await page.getByLabel('Name').inputValue()).toBe('Lost');

  app().setFault();
  await waitForAnimal(page);
  expect(await countAnimals('Lost')).toBe(1);
});

test('the user submits an unconfirmed form without JavaScript, or after changing it', async () => {
  const changed = await app().open('/animals/new');
  const plain = await app().open('/animals/new', WITHOUT_JAVASCRIPT);
  app().setFault(({ response }) => response.destroy());
  for (const page of [changed, plain]) {
    await fillForm(page, 'By hand', '7');
    await add(page);
    await page.getByRole('alert').waitFor();
  }
  await changed.getByLabel('Name').fill('Changed');
  for (const page of [changed, plain]) {
    const notice = await textOf(page, '[role=alert]');
    expect(notice).toContain('Press Add again');
    expect(notice).not.toContain('by itself');
  }
  app().setFault();
  await add(plain);
  await waitForAnimal(plain);
});

test('a form that was changed after its submission adds a second animal only at the next Add', async () => {
  const page = await app().open('/animals/new', WITHOUT_JAVASCRIPT);
  await fillForm(page, 'First', '7');
  await add(page);
  await waitForAnimal(page);
  await page.goBack();
  await fillForm(page, 'Second', '7');
  await add(page);

  await page.getByText('Nothing was added now.').waitFor();
  expect(await countAnimals('Second')).toBe(0);
  await add(page);
  await waitForAnimal(page);
  expect([await countAnimals('First'), await countAnimals('Second')]).toEqual([1, 1]);
});
