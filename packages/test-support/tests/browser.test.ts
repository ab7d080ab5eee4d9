import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { launchBrowser } from '../src/browser.ts';
import { listen } from '../src/servers/listen.ts';

/** A page, and on another port a document that no other origin may read. */
async function startOrigins() {
  const page = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<h1>Ñandú 🦤</h1>');
  });
  const other = createServer((_request, response) => response.end('secret'));
  return [await listen(page), await listen(other)] as const;
}

test('launchBrowser gives a browser that shows pages and keeps origins apart', async () => {
  const [site, other] = await startOrigins();
  await using _site = site;
  await using _other = other;
  await using browser = await launchBrowser();

  const page = await browser.newPage();
  await page.goto(site.origin);

  expect(await page.textContent('h1')).toBe('Ñandú 🦤');
  const read = (url: string) =>
    fetch(url).then(
      (response) => response.text(),
      (error: unknown) => String(error),
    );
  expect(await page.evaluate(read, other.origin)).toBe('TypeError: Failed to fetch');
});

test('browsers can be launched side by side', async () => {
  const browsers = await Promise.all([launchBrowser(), launchBrowser()]);
  for (const browser of browsers) {
    expect(browser.isConnected()).toBe(true);
    await browser.close();
  }
});

test('the browser has a font of its own', async () => {
  await using browser = await launchBrowser();
  const page = await browser.newPage();

  await page.setContent('<span>Rex</span>');

  const box = await page.locator('span').boundingBox();
  expect(box?.width).toBeGreaterThan(0);
});
