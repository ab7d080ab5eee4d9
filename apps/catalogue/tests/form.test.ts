import type { Fault } from '@petstore/test-support/proxies/http-proxy';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fieldNames, fields, isRequired } from '../src/new-pet-form.ts';
import { type App, startApp } from './support/app.ts';
import { add, fillForm, textOf } from './support/pages.ts';

const WITH_JAVASCRIPT = { javaScriptEnabled: true };
const WITHOUT_JAVASCRIPT = { javaScriptEnabled: false };

/** The request reaches the pet store, and its response is lost on the way back. */
const loseResponse: Fault = async ({ forward, response }) => {
  await forward();
  response.destroy();
};

let app: App;

beforeAll(async () => {
  app = await startApp();
});

afterEach(() => app.reset());

afterAll(() => app[Symbol.asyncDispose]());

const countAnimals = async (name: string) =>
  (await Array.fromAsync(app.store.pets({ pageSize: 100 }))).filter((pet) => pet.name === name).length;

test('a user sees an empty list, adds an animal, sees it, and finds it in the list', async () => {
  const page = await app.open('/');
  expect(await textOf(page, 'main')).toContain('There are no available animals yet.');

  await page.getByRole('link', { name: 'Add an animal' }).click();
  await fillForm(page, 'Ñandú 🦤', '9007199254740993');
  await add(page);

  await page.waitForURL('**/animals/1?added=now*');
  expect(await textOf(page, 'h1')).toBe('Ñandú 🦤');
  expect(await page.getByRole('definition').allTextContents()).toEqual(
    expect.arrayContaining(['1', '9007199254740993']),
  );
  expect(await textOf(page, '.profile .status')).toBe('Available');
  expect(await app.store.listPets()).toMatchObject([
    { id: 1, name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'available' },
  ]);
  await page.getByRole('link', { name: 'Available animals' }).click();
  await page.getByRole('link', { name: 'Ñandú' }).click();
  await page.waitForURL('**/animals/1?status=available');
});

test.each([WITH_JAVASCRIPT, WITHOUT_JAVASCRIPT])(
  'the form says at each field what the contract does not allow, and adds what is put right, with %o',
  async (options) => {
    const page = await app.open('/animals/new', options);
    const name = `Put right ${options.javaScriptEnabled}`;
    // A space, because browsers without the script do not send a required field that is empty.
    await fillForm(page, ' ', '9223372036854775808');
    await add(page);

    await page.getByText('Name is required').waitFor();
    expect(await textOf(page, '#categoryId-error')).toBe(
      'Category must be a whole number of at most 18 digits, such as 7',
    );
    expect(await page.getByLabel('Category').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Category').inputValue()).toBe('9223372036854775808');
    expect(await page.locator(':focus').getAttribute('name')).toBe('name');
    await fillForm(page, name, '-9223372036854775808');
    await add(page);
    await page.waitForURL('**/animals/*?added=now');
    expect(await countAnimals(name)).toBe(1);
  },
);

test.each([WITH_JAVASCRIPT, WITHOUT_JAVASCRIPT])(
  'a double click, Back and Add, a reload and Add, and a restored link add one animal, with %o',
  async (options) => {
    const page = await app.open('/animals/new', options);
    const link = page.url();
    const name = `Once ${options.javaScriptEnabled}`;
    await fillForm(page, name, '7');
    await page.getByRole('button', { name: 'Add' }).dblclick();
    await page.waitForURL('**/animals/*?added=*');
    const animal = new URL(page.url()).pathname;

    const goBack = () => page.goBack();
    const goBackAndReload = () => goBack().then(() => page.reload());
    for (const showForm of [goBack, goBackAndReload, () => page.goto(link)]) {
      await showForm();
      await fillForm(page, name, '7');
      await add(page);
      await page.waitForURL(`**${animal}?added=before`);
    }
    expect(await textOf(page, '[role=status]')).toContain('It was not added again.');
    expect(await countAnimals(name)).toBe(1);
  },
);

test('an addition whose responses are lost is submitted again by itself, and adds one animal', async () => {
  const page = await app.open('/animals/new');
  await fillForm(page, 'Lost', '7');
  app.setFault(loseResponse);
  await add(page);
  await page.getByText('It is not certain').waitFor();
  const requestId = await page.locator('.request-id code').textContent();
  await expect.poll(() => app.catalogue.output()).toContain(`"requestId":"${requestId}"`);
  expect(await page.getByLabel('Name').inputValue()).toBe('Lost');

  app.setFault();
  await page.waitForURL('**/animals/*?added=before');
  expect(await countAnimals('Lost')).toBe(1);
});

test('the form marks its required fields', async () => {
  const page = await app.open('/animals/new');
  const labels = fieldNames.map((name) => `${fields[name].label}${isRequired(name) ? ' required' : ''}`);
  expect(await page.locator('label').allInnerTexts()).toEqual(labels);
  expect(await page.locator('[required]').evaluateAll((controls) => controls.map(({ id }) => id))).toEqual(
    fieldNames.filter(isRequired),
  );
});

test('characters that cannot be seen are left out of a name that is pasted', async () => {
  const page = await app.open('/animals/new');
  await fillForm(page, '\u001ePasted\u0000\u0085', '7');
  await add(page);
  await page.waitForURL('**/animals/*?added=now');
  expect(await textOf(page, 'h1')).toBe('Pasted');
  expect(await countAnimals('Pasted')).toBe(1);
});

test('a form that was used, changed and submitted again explains itself, and adds a second animal on request', async () => {
  const page = await app.open('/animals/new', WITHOUT_JAVASCRIPT);
  await fillForm(page, 'First', '7');
  await add(page);
  await page.waitForURL('**/animals/*?added=now');
  await page.goBack();
  await fillForm(page, 'Second', '7');
  await add(page);

  await page.getByText('This form has added an animal before').waitFor();
  expect(await countAnimals('Second')).toBe(0);
  await add(page);
  await page.waitForURL('**/animals/*?added=now');
  expect([await countAnimals('First'), await countAnimals('Second')]).toEqual([1, 1]);
});
