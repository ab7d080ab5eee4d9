import { findLink } from '@petstore/contract/link';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';

test('links are absolute with PUBLIC_BASE_URL, and never contain the Host header', async () => {
  await using app = await startApp({ PUBLIC_BASE_URL: 'https://api.petstore.test/v1/' });
  for (const name of ['one', 'two']) {
    const created = await app.request('/pets', {
      method: 'POST',
      body: JSON.stringify({ name, categoryId: 1 }),
    });
    expect(created.headers.get('location')).toMatch(/^https:\/\/api\.petstore\.test\/v1\/pets\/\d$/);
  }
  const page = await app.request('/pets?limit=1');
  const next = findLink(page.headers.get('link'), 'next');
  expect(next).toMatch(/^https:\/\/api\.petstore\.test\/v1\/pets\?limit=1&cursor=/);
});
