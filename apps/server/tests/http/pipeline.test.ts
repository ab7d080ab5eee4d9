import { bearer, openSocket, readResponses, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import type { RequestHandler, Response } from 'express';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { type ServedVersion, servedVersion1 } from '../../src/service/versions.ts';

const ORIGIN = 'https://shop.test';

/** Version 1 with one more step before its handlers. */
const withStep = (step: RequestHandler): ServedVersion => ({
  ...servedVersion1,
  addEndpoints: (router, parts, steps) =>
    servedVersion1.addEndpoints(router, parts, [
      ...steps,
      // The steps of a version have narrower types than Express's own.
      (req, res, next) => step(Object(req), Object(res), next),
    ]),
});

test('a rule of all requests holds for cached lists, errors, preflight requests and public routes alike', async () => {
  await using app = await startApp({ CORS_ORIGINS: ORIGIN });
  const key = `${bearer(app.apiKey)}\r\n`;
  const post = (text: string) =>
    `${key}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const preflight = `Origin: ${ORIGIN}\r\nAccess-Control-Request-Method: POST\r\n\r\n`;
  const requests: [line: string, rest: string, status: number][] = [
    ['POST /v1/pets', post('{"name":"a","categoryId":1}'), 201],
    ['GET /v1/pets/1', `${key}\r\n`, 200],
    ['GET /v1/pets', `${key}\r\n`, 200],
    ['GET /v1/pets', `${key}\r\n`, 200],
    // The second request keeps the list, so this one is a hit.
    ['GET /v1/pets', `${key}\r\n`, 200],
    ['GET /v1/pets?limit=500', `${key}\r\n`, 400],
    ['GET /v1/pets/2', `${key}\r\n`, 404],
    ['GET /v1/nowhere', `${key}\r\n`, 404],
    ['DELETE /v1/pets', `${key}\r\n`, 405],
    ['GET /v1/pets', '\r\n', 401],
    ['OPTIONS /v1/pets', preflight, 204],
    ['POST /v1/pets', post('{'), 400],
    ['GET /livez', '\r\n', 200],
    ['GET /openapi.json', '\r\n', 200],
    ['GET /docs', '\r\n', 200],
  ];
  const statusOf = async (line: string, rest: string) => {
    const [response] = await sendRaw(app.origin, `${line} HTTP/1.1\r\nHost: a\r\n${rest}`, { count: 1 });
    return response?.status;
  };
  for (const [line, rest, status] of requests)
    expect([line, await statusOf(line, rest)]).toEqual([line, status]);
  expect(app.service.listCache?.hits).toBe(1);
  for (const [line, rest] of requests)
    expect([line, await statusOf(line, `Expect: magic\r\n${rest}`)]).toEqual([line, 417]);
});

test('a shed request gets the headers of every other response, and a line in the access log', async () => {
  const stall: RequestHandler = ({ path }, _res, next) => {
    const end = performance.now() + 20;
    while (path === '/pets' && performance.now() < end);
    next();
  };
  const environment = { CORS_ORIGINS: ORIGIN, MAX_QUEUE_DELAY_MS: '1' };
  await using app = await startApp(environment, { versions: [withStep(stall)] });
  const get = (path: string, id: string) =>
    requestHead(`GET ${path}`, bearer(app.apiKey), `Origin: ${ORIGIN}`, `X-Request-Id: ${id}`);
  const [slow, late] = [await openSocket(app.origin), await openSocket(app.origin)];
  const read = async (socket: typeof late) => (await readResponses(socket, { count: 1 }))[0];
  for (const socket of [slow, late]) {
    socket.write(get('/v1/pets/1', 'first'));
    await read(socket);
  }
  // The server reads both requests in one turn of its event loop.
  slow.write(get('/v1/pets', 'slow'));
  late.write(get('/v1/pets/1', 'late'));
  const [, response] = await Promise.all([read(slow), read(late)]);

  expect(response).toMatchObject({ status: 503 });
  const headers = Object.fromEntries(response?.headers ?? []);
  expect(headers).toMatchObject({
    'retry-after': '1',
    'x-request-id': 'late',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': ORIGIN,
    deprecation: expect.stringMatching(/^@\d+$/),
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: expect.stringContaining('rel="deprecation"'),
  });
  const lines = () => app.logLines().filter(({ requestId }) => requestId === 'late');
  await expect.poll(lines).toMatchObject([{ status: 503, route: '/v1/pets/:petId' }]);

  // A later turn serves again.
  late.write(get('/v1/pets/1', 'again'));
  expect(await read(late)).toMatchObject({ status: 404 });
  for (const socket of [slow, late]) socket.destroy();
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
  await using app = await startApp({}, { versions: [withStep((_req, res) => void respond(res))] });
  const headers = [bearer(app.apiKey), 'X-Request-Id: third-party', 'Content-Length: 1000'];

  const [response] = await sendRaw(app.origin, requestHead('POST /v1/pets', ...headers));

  expect(response).toMatchObject({ status: 200 });
  expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
    'x-request-id': 'third-party',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  await expect.poll(app.logLines).toMatchObject([{ requestId: 'third-party', status: 200 }]);
});

test('without the step that authenticates, a creation fails, and adds no pet', async () => {
  const withoutSteps: ServedVersion = {
    ...servedVersion1,
    addEndpoints: (router, parts) => servedVersion1.addEndpoints(router, parts, []),
  };
  await using app = await startApp({}, { versions: [withoutSteps] });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a' };
  const body = '{"name":"Rex","categoryId":1}';

  const { status } = await fetch(`${app.baseUrl}/pets`, { method: 'POST', headers, body });

  expect(status).toBe(500);
  expect(await (await fetch(`${app.baseUrl}/pets`)).json()).toEqual([]);
});
