import { openApiDocument } from '@petstore/contract/openapi';
import { expect, test } from 'vitest';
import { startApp } from './support/app.ts';

test('/openapi.json is the contract, with the servers of the configuration, without a key', async () => {
  await using app = await startApp({
    PUBLIC_BASE_URL: 'https://api.petstore.test/v1',
    STAGING_BASE_URL: 'https://staging.petstore.test/v1',
  });
  const document = await (await fetch(`${app.origin}/openapi.json`)).json();
  expect(document).toEqual(
    JSON.parse(
      JSON.stringify(
        openApiDocument({
          production: 'https://api.petstore.test/v1',
          staging: 'https://staging.petstore.test/v1',
        }),
      ),
    ),
  );
});

test('/docs loads everything from the service itself, under a strict policy', async () => {
  await using app = await startApp();
  const page = await fetch(`${app.origin}/docs`);
  const html = await page.text();
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
  expect(html).not.toMatch(/https?:\/\//);
  const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? [];
  const answer = await fetch(new URL(script, `${app.origin}/docs`));
  expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect((await answer.text()).length).toBeGreaterThan(1_000_000);
});
