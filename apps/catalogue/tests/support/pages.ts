import type { Page } from 'playwright-core';

/** The text of the first element that matches. */
export const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().textContent()) ?? '';

/** The names in a list. */
export const names = (page: Page): Promise<string[]> => page.locator('.animals strong').allTextContents();

/** Follows a link, and waits until the page it leads to is there. */
export async function follow(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name, exact: true });
  const path = (await link.getAttribute('href')) ?? '';
  await link.click();
  await page.waitForURL(new URL(path, page.url()).href);
}

export async function fillForm(page: Page, name: string, categoryId: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Category').fill(categoryId);
}

export const add = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Add', exact: true }).click();
