import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { findHtmlErrors } from '@petstore/test-support/html';
import type { Page, Response as PageResponse } from 'playwright-core';
import { expect, test } from 'vitest';
import { API_KEY, fillForm, pressAdd, useApp, waitForAnimal } from './support/app.ts';

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const STYLE = readFileSync(new URL('../dist/assets/style.css', import.meta.url));
/** axe takes most of the time. Of its rules, dark colours can break only one. */
const WINDOWS: { width: number; textSize?: string; colorScheme: 'light' | 'dark'; axeOptions?: object }[] = [
  { width: 320, colorScheme: 'light', axeOptions: { rules: { 'target-size': { enabled: true } } } },
  { width: 360, textSize: '200%', colorScheme: 'light' },
  { width: 768, colorScheme: 'light', axeOptions: {} },
  { width: 1440, colorScheme: 'dark', axeOptions: { runOnly: 'color-contrast' } },
];

const LONG_NAME = `${'Long '.repeat(40)} <b>شمس</b>`;
const LONG_CATEGORY = -(2n ** 63n);

/** Names that are likely to break a page, and the text that the page shows. */
const strangeNames = {
  ['x'.repeat(200)]: 'x'.repeat(200),
  [LONG_NAME]: LONG_NAME,
  '\u001eRex\r\u0007': '[U+001E]Rex[U+000D][U+0007]',
  '\u0085\ufdd0\u{1ffff}\u007f': '[U+0085][U+FDD0][U+1FFFF][U+007F]',
  ' \u200b\u2029': 'No name',
};

const app = await useApp([
  ...Object.keys(strangeNames).map((name) => ({ name, categoryId: LONG_CATEGORY, status: 'sold' as const })),
  // Together more than the 60 animals of a page.
  ...Array.from({ length: 60 }, (_, index) => ({ name: `Animal ${index}`, categoryId: LONG_CATEGORY })),
]);

/** Opens every kind of page. */
const views: Record<string, (page: Page) => Promise<unknown>> = {
  'list-strange-names': (page) => page.goto('/animals?status=sold'),
  'animal-added': (page) => submitForm(page, LONG_NAME, 'An animal stays'),
  async 'list-second-page-and-wrong-number'(page) {
    await page.goto('/animals');
    const next = page.getByRole('link', { name: 'Next page' }).first();
    await page.goto(`${await next.getAttribute('href')}&number=Rex`);
  },
  'animal-not-found': (page) => page.goto('/animals/%00%1e'),
  'form-errors': (page) => submitForm(page, ' ', 'Name is required', '7.5'),
  async 'form-unconfirmed'(page) {
    app.setFault(app.loseResponse);
    await submitForm(page, 'Lost', 'has not confirmed');
  },
  async 'form-refused'(page) {
    app.setFault(async () => new Response(null, { status: 400 }));
    await submitForm(page, 'Refused', 'your IT support');
  },
  async 'pet-store-unavailable'(page) {
    // The page reloads after this Retry-After, which is longer than the test.
    app.setFault(async () => new Response(null, { status: 503, headers: { 'retry-after': '600' } }));
    await page.goto('/animals');
  },
};

async function submitForm(page: Page, name: string, result: string, categoryId?: string) {
  await page.goto('/animals/new');
  await fillForm(page, name, categoryId);
  await pressAdd(page);
  await page.getByText(result).waitFor();
}

test.each(Object.entries(views))(
  'the page %s is valid HTML below 30 kB with its style, has strict policies but no HSTS, no API key, fits every window, and passes axe, with clear borders of fields, in light and dark',
  async (_name, show) => {
    const page = await app.open('about:blank');
    const complaints: string[] = [];
    // Tests share the page.
    page.removeAllListeners();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    let shown: PageResponse | undefined;
    page.on('response', (response) => {
      if (response.request().isNavigationRequest()) shown = response;
    });
    await show(page);
    await page.evaluate(AXE);
    const html = (await shown?.text()) ?? '';
    expect(await findHtmlErrors(html)).toEqual([]);
    expect(gzipSync(html).length + gzipSync(STYLE).length).toBeLessThan(30_000);
    expect(html).not.toContain(API_KEY);
    expect(shown?.headers()).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'same-origin',
    });
    expect(shown?.headers()).not.toHaveProperty('strict-transport-security');
    for (const { width, textSize = '', colorScheme, axeOptions } of WINDOWS) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(`document.documentElement.style.fontSize = '${textSize}'`);
      await page.emulateMedia({ colorScheme });
      // During an animation, colours belong to neither colour scheme.
      await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      if (axeOptions) await expectAccessible(page, axeOptions, colorScheme);
    }
    // The browser reports responses with an error status too.
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  },
);

/** Expects no finding of axe, which checks no borders, and borders of fields that contrast (WCAG 1.4.11). */
async function expectAccessible(page: Page, axeOptions: object, colorScheme: string): Promise<void> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...axeOptions });
  const findings = await page.evaluate(`axe.run(${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`);
  expect(findings, colorScheme).toEqual([]);
  // The focused field has an outline.
  const contrasts = await page.evaluate<[string, number][]>(`
    Array.from(document.querySelectorAll(':is(input, select, textarea):not(:focus)'), (field) => {
      const { borderColor, backgroundColor } = getComputedStyle(field);
      const parse = (text) => new axe.commons.color.Color().parseString(text);
      return [field.name, axe.commons.color.getContrast(parse(borderColor), parse(backgroundColor))];
    })`);
  const faint = contrasts.filter(([, contrast]) => contrast < 3);
  expect(faint, colorScheme).toEqual([]);
  expect(contrasts.length > 0, 'A field is measured').toBe(await page.locator('form').first().isVisible());
}

test('the list shows invisible characters of names by their code points, and opens an animal without a visible name', async () => {
  const page = await app.open('/animals?status=sold');
  expect(await page.locator('.animals strong').allTextContents()).toEqual(Object.values(strangeNames));
  await page.getByText('No name').click();
  const id = Object.values(strangeNames).indexOf('No name') + 1;
  expect(await waitForAnimal(page)).toBe(`/animals/${id}`);
  expect(await page.title()).toBe(`Animal ${id} · Adoption catalogue`);
});
