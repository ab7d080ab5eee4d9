import { expect, test } from 'vitest';
import { startApp } from './support/app.ts';

const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: 'https://shop.test',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  },
};

test('pages of the origins that CORS_ORIGINS names may call the service and read its headers', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.test, https://other.test' });
  const asked = await fetch(`${app.baseUrl}/pets`, preflight);
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
  const answer = await app.request('/pets', { headers: { origin: 'https://shop.test' } });
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  expect(answer.headers.get('access-control-expose-headers')).toMatch(/Link.*Location.*Retry-After/);
  expect(answer.headers.get('vary')).toMatch(/Origin/);
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
});

test('errors, the 401 too, can be read by those pages', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.test' });
  const answer = await fetch(`${app.baseUrl}/pets`, { headers: { origin: 'https://shop.test' } });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  const plain = await app.request('/pets', { method: 'OPTIONS' });
  expect(plain.status).toBe(405);
});

test('other origins are allowed nothing, and without CORS_ORIGINS nobody is', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.test' });
  const other = await app.request('/pets', { headers: { origin: 'https://evil.test' } });
  expect(other.headers.has('access-control-allow-origin')).toBe(false);
  await using closed = await startApp();
  const asked = await fetch(`${closed.baseUrl}/pets`, preflight);
  expect(asked.headers.has('access-control-allow-origin')).toBe(false);
});
