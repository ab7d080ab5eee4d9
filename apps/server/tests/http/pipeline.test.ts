import { IncomingMessage, ServerResponse } from 'node:http';
import { openSocket, readResponses, sendRaw } from '@petstore/test-support/sockets/raw-http';
import cors from 'cors';
import type { RequestHandler, Response } from 'express';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { HttpError } from '../../src/http/http-error.ts';
import { type ServedVersion, servedVersion1 } from '../../src/service/versions.ts';

/** Starts an app with one more middleware before all others. */
async function startWithStep(step: RequestHandler, environment: Record<string, string> = {}) {
  const app = await startApp(environment);
  app.service.app.use(step);
  const { stack } = app.service.app.router;
  stack.unshift(...stack.splice(-1));
  return app;
}

test('a refusing step refuses cache hits, cache misses, errors, preflight requests and public routes alike', async () => {
  let isRefusing = false;
  const refuse: RequestHandler = (_req, _res, next) => {
    if (isRefusing) throw new HttpError('stopping');
    next();
  };
  await using app = await startWithStep(refuse, { CORS_ORIGINS: 'https://shop.test' });
  const authorization = `Bearer ${app.apiKey}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(app.origin + path, { ...init, headers: { authorization, ...init.headers } });
    await response.arrayBuffer();
    return response.status;
  };
  const preflight = { origin: 'https://shop.test', 'access-control-request-method': 'POST' };
  const post = (body: string): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const requests: [string, RequestInit, number][] = [
    ['/v1/pets', post('{"name":"a","categoryId":1}'), 201],
    ['/v1/pets/1', {}, 200],
    ['/v1/pets?limit=1', {}, 200],
    ['/v1/pets?limit=1', {}, 200],
    ['/v1/pets?limit=1', {}, 200],
    ['/v1/pets?limit=500', {}, 400],
    ['/v1/pets/2', {}, 404],
    ['/v1/nowhere', {}, 404],
    ['/v1/pets', { method: 'DELETE' }, 405],
    ['/v1/pets', { headers: { authorization: 'Bearer nonsense' } }, 401],
    ['/v1/pets', { method: 'OPTIONS', headers: preflight }, 204],
    ['/v1/pets', post('{'), 400],
    ['/livez', {}, 200],
    ['/openapi.json', {}, 200],
    ['/docs', {}, 200],
  ];
  for (const [path, init, status] of requests) expect([path, await ask(path, init)]).toEqual([path, status]);
  isRefusing = true;
  for (const [path, init] of requests) expect([path, await ask(path, init)]).toEqual([path, 503]);
});

const ORIGIN = 'https://shop.test';

/** Headers that a response to getPet has, whichever step makes it. */
function expectCommonHeaders(headers: Headers, requestId: string) {
  expect(headers.get('x-request-id')).toBe(requestId);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(headers.get('link')).toContain('rel="deprecation"');
}

test('a shed request gets the headers of every other response, and a line in the access log', async () => {
  const stall: RequestHandler = ({ path }, _res, next) => {
    const end = performance.now() + 20;
    while (path === '/slow' && performance.now() < end);
    next();
  };
  await using app = await startWithStep(stall, { CORS_ORIGINS: ORIGIN, MAX_QUEUE_DELAY_MS: '1' });
  const get = (path: string, id: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.apiKey}\r\n` +
    `Origin: ${ORIGIN}\r\nX-Request-Id: ${id}\r\n\r\n`;
  const [slow, late] = [await openSocket(app.origin), await openSocket(app.origin)];
  for (const socket of [slow, late]) {
    socket.write(get('/v1/pets', 'first'));
    await readResponses(socket, { count: 1 });
  }
  // The server reads both requests in one turn of its event loop.
  slow.write(get('/slow', 'slow'));
  late.write(get('/v1/pets/1', 'late'));
  const [, [response] = []] = await Promise.all(
    [slow, late].map((socket) => readResponses(socket, { count: 1 })),
  );
  expect(response).toMatchObject({ status: 503 });
  expect(response?.headers.get('retry-after')).toBe('1');
  expectCommonHeaders(response?.headers ?? new Headers(), 'late');
  const lines = () => app.logLines().filter(({ requestId }) => requestId === 'late');
  await expect.poll(lines).toMatchObject([{ status: 503, route: '/v1/pets/:petId' }]);
  for (const socket of [slow, late]) socket.destroy();
});

test('requests on one connection are served in order, each only after the previous response has left', async () => {
  const running: string[] = [];
  await using app = await startWithStep(async ({ path }, res, next) => {
    running.push(path);
    expect(running).toHaveLength(1);
    res.once('finish', () => running.splice(running.indexOf(path), 1));
    await new Promise(setImmediate);
    next();
  });
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const requests = ['/livez', '/readyz', '/nowhere', '/docs'].map(get);
  const responses = await sendRaw(app.origin, requests.join(''), { count: 4 });
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 401, 200]);
});

test.each<[string, (res: Response) => unknown]>([
  ['res.send', (res) => res.send('Hello')],
  ['res.end', (res) => res.end('Hello')],
  ['res.json', (res) => res.json({ message: 'Hello' })],
  [
    'res.writeHead',
    (res) => res.writeHead(200, 'OK', { 'Content-Length': 5, Connection: 'keep-alive' }).end('Hello'),
  ],
  [
    'res.writeHead with a list',
    (res) => res.writeHead(200, ['connection', 'keep-alive', 'content-length', 5]).end('Hello'),
  ],
  ['res.sendFile', (res) => res.sendFile(import.meta.filename)],
])('a response that third-party middleware sends by %s is like any other', async (_method, respond) => {
  await using app = await startWithStep((_req, res) => void respond(res));
  const head = 'Host: a\r\nX-Request-Id: third-party\r\nContent-Length: 1000\r\n\r\n';

  const [response] = await sendRaw(app.origin, `POST / HTTP/1.1\r\n${head}`);

  expect(response).toMatchObject({ status: 200 });
  expect(response?.headers.get('x-request-id')).toBe('third-party');
  expect(response?.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response?.headers.get('cache-control')).toBe('no-store');
  expect(response?.headers.get('connection')).toBe('close');
  await expect.poll(app.logLines).toMatchObject([{ requestId: 'third-party', status: 200 }]);
});

test('without the step that authenticates, a creation fails, and adds no pet', async () => {
  const withoutSteps: ServedVersion = {
    ...servedVersion1,
    addEndpoints: (router, parts) => servedVersion1.addEndpoints(router, parts, []),
  };
  await using app = await startApp({}, 'sqlite', undefined, [withoutSteps]);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a' };
  const body = '{"name":"Rex","categoryId":1}';

  const { status } = await fetch(`${app.baseUrl}/pets`, { method: 'POST', headers, body });

  expect(status).toBe(500);
  expect(await (await fetch(`${app.baseUrl}/pets`)).json()).toEqual([]);
});

test("the application gets Node's own request and response, so that third-party middleware works", async () => {
  const seen: unknown[] = [];
  await using app = await startWithStep((req, res, next) => {
    seen.push(req instanceof IncomingMessage && res instanceof ServerResponse && res.req === req);
    cors({ origin: 'https://other.example' })(req, res, next);
  });
  for (const path of ['/livez', '/docs', '/v1/pets', '/v1/pets?limit=1', '/v1/pets/1', '/nowhere']) {
    const response = await fetch(app.origin + path, { headers: { authorization: `Bearer ${app.apiKey}` } });
    expect(response.status).toBe(path === '/nowhere' || path.endsWith('/1') ? 404 : 200);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://other.example');
  }
  expect(seen).toEqual([true, true, true, true, true, true]);
});
