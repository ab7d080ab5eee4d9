import { responseHeaders, v1 } from '@petstore/contract';
import { sendRaw } from '@petstore/test-support/raw-http';
import { expect, test } from 'vitest';
import { startApp, useApp } from '#support/app';

const ORIGIN = 'https://shop.test';

const app = await useApp({ CORS_ORIGINS: `${ORIGIN}, https://other.test` });

const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key,traceparent,x-tenant',
  },
};

const allowedOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin');
const exposed = ({ headers }: Response) => headers.get('access-control-expose-headers');

test('web pages of origins in CORS_ORIGINS, and no others, may send any header but no cookies, and read every header, also of an error', async () => {
  const methods = new Set(['GET', 'HEAD', ...Object.values(v1.contract.pets).map(({ method }) => method)]);
  // Without the preflight, a page could not read the 404 of an unknown path.
  for (const url of [`${app.baseUrl}/pets`, `${app.origin}/nowhere`]) {
    const { status, headers } = await fetch(url, preflight);
    expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
      status: 204,
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': [...methods].join(', '),
      'access-control-allow-headers': preflight.headers['access-control-request-headers'],
      'access-control-max-age': '86400',
    });
  }
  const response = await app.request('/pets', { headers: { origin: ORIGIN } });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-expose-headers': Object.keys(responseHeaders).join(', '),
    vary: expect.stringContaining('Origin'),
  });
  expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  const refused = await fetch(`${app.baseUrl}/pets`, { headers: { origin: ORIGIN } });
  expect(refused.status).toBe(401);
  for (const read of [allowedOrigin, exposed]) expect(read(refused)).toBe(read(response));
  const allowedFor = async (origin: string) =>
    allowedOrigin(await app.request('/pets', { headers: { origin } }));
  expect(await allowedFor('https://other.test')).toBe('https://other.test');
  expect(await allowedFor('https://evil.test')).toBe(null);
});

test('with CORS_ORIGINS=* web pages of every origin may call the service, without CORS_ORIGINS none; with and without, an OPTIONS request that is no preflight gets 405', async () => {
  await using open = await startApp({ CORS_ORIGINS: '*' });
  expect(allowedOrigin(await fetch(`${open.baseUrl}/pets`, preflight))).toBe('*');
  await using closed = await startApp();
  expect(allowedOrigin(await fetch(`${closed.baseUrl}/pets`, preflight))).toBe(null);
  for (const { request } of [app, closed]) {
    // A preflight has both headers.
    for (const name of ['origin', 'access-control-request-method'] as const) {
      const init = { method: 'OPTIONS', headers: { [name]: preflight.headers[name] } };
      const response = await request('/pets', init);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  }
});

test('a preflight request without Host gets 400 and the CORS header', async () => {
  const bytes = `OPTIONS /v1/pets HTTP/1.1\r\nOrigin: ${ORIGIN}\r\nAccess-Control-Request-Method: GET\r\n\r\n`;
  const [response] = await sendRaw(app.origin, bytes, { count: 1 });
  expect([response?.status, response?.headers.get('access-control-allow-origin')]).toEqual([400, ORIGIN]);
});
