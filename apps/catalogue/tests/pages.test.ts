import { launchBrowser } from '@petstore/test-support/browser';
import { engines } from '@petstore/test-support/engines';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, startApp } from './support/app.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe.each(engines)('over %s', (engine) => {
  let app: App;

  beforeAll(async () => {
    app = await startApp(engine, browser);
  });

  afterAll(() => app[Symbol.asyncDispose]());

  test('a user sees an empty list, adds an animal, sees it, and finds it in the list', async () => {
    const page = await app.open('/');
    await expect
      .poll(() => page.getByRole('main').textContent())
      .toContain('no animals with the status available');

    await page.getByRole('link', { name: 'Add an animal' }).click();
    await page.getByLabel('Name').fill('Ñandú 🦤');
    await page.getByLabel('Category').fill('9007199254740993');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.waitForURL('**/animals/1?added=now');
    expect(await page.getByRole('heading').textContent()).toBe('Ñandú 🦤');
    expect(await page.getByRole('definition').allInnerTexts()).toEqual([
      '1',
      '9007199254740993',
      'Available',
    ]);
    expect(await app.store.listPets()).toEqual([
      { id: 1, name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'available' },
    ]);

    await page.getByRole('link', { name: 'Available animals' }).click();
    await page.getByRole('link', { name: 'Ñandú' }).click();
    await page.waitForURL('**/animals/1');
  });
});
