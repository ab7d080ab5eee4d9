import { launchBrowser } from '@petstore/test-support/browser';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { sendRaw } from '@petstore/test-support/sockets/raw-http';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';

const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: 'https://shop.test',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  },
};

test('pages of the origins in CORS_ORIGINS may call the service, and may read the headers even of errors', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.test, https://other.test' });
  const preflightResponse = await fetch(`${app.baseUrl}/pets`, preflight);
  expect(preflightResponse.status).toBe(204);
  expect(preflightResponse.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  const response = await app.request('/pets', { headers: { origin: 'https://shop.test' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  expect(response.headers.get('access-control-expose-headers')).toMatch(/Link.*Location.*Retry-After/);
  expect(response.headers.get('vary')).toMatch(/Origin/);
  expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  const refused = await fetch(`${app.baseUrl}/pets`, { headers: { origin: 'https://shop.test' } });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.test');
});

test('a page in a browser may send every header that the client sends, and headers of its own', async () => {
  await using page = await serveFetch(
    async () => new Response('', { headers: { 'content-type': 'text/html' } }),
  );
  await using app = await startApp({ CORS_ORIGINS: page.origin });
  await using browser = await launchBrowser();
  const tab = await browser.newPage();
  await tab.goto(page.origin);
  const headers = {
    authorization: `Bearer ${app.apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': 'k-1',
    'x-client': 'petstore-client/1.0.0',
    'x-request-id': 'r-1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=1',
    baggage: 'tenant=7',
    'x-tenant': '7',
  };
  const request = { method: 'POST', headers, body: '{"name":"Ada","categoryId":7}' };
  const call = `fetch('${app.baseUrl}/pets', ${JSON.stringify(request)})
    .then(({ status, headers }) => [status, headers.get('location'), headers.get('x-request-id')])`;
  expect(await tab.evaluate(call)).toEqual([201, '/v1/pets/1', 'r-1']);
});

test('pages of other origins may not call the service, and without CORS_ORIGINS no page may', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.test' });
  const other = await app.request('/pets', { headers: { origin: 'https://evil.test' } });
  expect(other.headers.has('access-control-allow-origin')).toBe(false);
  await using closed = await startApp();
  const preflightResponse = await fetch(`${closed.baseUrl}/pets`, preflight);
  expect(preflightResponse.headers.has('access-control-allow-origin')).toBe(false);
});

test('with CORS_ORIGINS, a preflight request for an unknown path gets 204, and any other OPTIONS does not', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.test' });
  await using closed = await startApp();
  expect((await fetch(`${app.origin}/nowhere`, preflight)).status).toBe(204);
  for (const { baseUrl, apiKey } of [app, closed]) {
    const authorization = `Bearer ${apiKey}`;
    for (const half of [{ origin: 'https://shop.test' }, { 'access-control-request-method': 'POST' }]) {
      const headers = { authorization, ...half };
      const response = await fetch(`${baseUrl}/pets`, { method: 'OPTIONS', headers });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  }
});

test('a preflight request is checked like any request, and announces the end of its connection', async () => {
  await using app = await startApp({ CORS_ORIGINS: 'https://shop.test' });
  const origin = 'Origin: https://shop.test\r\nAccess-Control-Request-Method: GET\r\n';
  const send = (headers: string) =>
    sendRaw(app.origin, `OPTIONS /v1/pets HTTP/1.1\r\n${origin}${headers}\r\n`);
  for (const end of ['Connection: upgrade\r\nUpgrade: h2c\r\n', 'Content-Length: 10\r\n']) {
    const [response, ...others] = await send(`Host: a\r\n${end}`);
    expect(response?.status).toBe(204);
    expect(response?.headers.get('connection')).toBe('close');
    expect(others).toEqual([]);
  }
  for (const [headers, status] of [
    ['', 400],
    ['Host: a b\r\n', 400],
    ['Host: a\r\nExpect: magic\r\n', 417],
  ] as const) {
    const [response] = await send(`${headers}Connection: close\r\n`);
    expect(response?.status).toBe(status);
    expect(response?.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  }
});
