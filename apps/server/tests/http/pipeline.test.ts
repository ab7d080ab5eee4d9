import { once } from 'node:events';
import { creationBytes } from '@petstore/test-support/pet-store-http';
import { bearer, openSocket, readResponses, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import type { RequestHandler, Response } from 'express';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { type ServedVersion, servedVersion1 } from '../../src/service/versions.ts';

const ORIGIN = 'https://shop.test';

/** Version 1 with one more middleware before its handlers. */
const withMiddleware = (added: RequestHandler): ServedVersion => ({
  ...servedVersion1,
  addEndpoints: (router, parts, middleware) =>
    servedVersion1.addEndpoints(router, parts, [
      ...middleware,
      // A version's middleware has narrower types than Express's own: Object() returns any.
      (req, res, next) => added(Object(req), Object(res), next),
    ]),
});

test('a request with an unknown Expect header gets 417, also for a cached list and public routes', async () => {
  await using app = await startApp();
  const list = requestHead('GET /v1/pets', bearer(app.apiKey));
  // The first use of a key is committed a little later, which invalidates cached lists. A creation waits for that commit.
  await app.request('/pets', creation());
  // A list is cached at its second request.
  await sendRaw(app.origin, list.repeat(3), { count: 3 });
  expect(app.service.listCache?.hits).toBe(1);
  const publicRoutes = ['/livez', '/openapi.json', '/docs'].map((path) => requestHead(`GET ${path}`));
  for (const bytes of [list, creationBytes(app.apiKey), ...publicRoutes]) {
    const unexpected = bytes.replace('Host:', 'Expect: magic\r\nHost:');
    const [response] = await sendRaw(app.origin, unexpected, { count: 1 });
    expect([bytes, response?.status]).toEqual([bytes, 417]);
  }
});

test('a shed request keeps its connection, and gets the headers of every other response and a line in the access log', async () => {
  const stall: RequestHandler = ({ path }, _res, next) => {
    // Far longer than MAX_QUEUE_DELAY_MS below.
    const end = performance.now() + 20;
    if (path === '/pets') while (performance.now() < end);
    next();
  };
  const environment = { CORS_ORIGINS: ORIGIN, MAX_QUEUE_DELAY_MS: '1' };
  await using app = await startApp(environment, { versions: [withMiddleware(stall)] });
  const get = (path: string, id: string) =>
    requestHead(`GET ${path}`, bearer(app.apiKey), `Origin: ${ORIGIN}`, `X-Request-Id: ${id}`);
  const [slow, late] = [await openSocket(app.origin), await openSocket(app.origin)];
  const read = async (socket: typeof late) => (await readResponses(socket, { count: 1 }))[0] ?? expect.fail();
  slow.write(get('/v1/pets/1', 'first'));
  await read(slow);
  late.write(get('/v1/pets/1', 'late'));
  const served = await read(late);
  // The server has accepted both connections, so it reads both requests in one turn of its event loop.
  slow.write(get('/v1/pets', 'slow'));
  late.write(get('/v1/pets/1', 'late'));
  const [, shed] = await Promise.all([read(slow), read(late)]);

  expect([served.status, shed.status]).toEqual([404, 503]);
  for (const name of ['date', 'content-length']) served.headers.delete(name);
  const expected = { ...Object.fromEntries(served.headers), 'retry-after': '1' };
  expect(Object.fromEntries(shed.headers)).toMatchObject(expected);
  const lines = () => app.logLines().filter(({ requestId }) => requestId === 'late');
  const lineWith = (status: number) => ({ route: '/v1/pets/:petId', status });
  await expect.poll(lines).toMatchObject([lineWith(404), lineWith(503)]);
  expect(app.service.overloadLog.cutCount).toBe(0);

  // A later turn serves again.
  late.write(get('/v1/pets/1', 'again'));
  expect(await read(late)).toMatchObject({ status: 404 });
  for (const socket of [slow, late]) socket.destroy();
});

test('a request that arrives before a response with Connection: close is not served', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let heldCount = 0;
  const hold: RequestHandler = async (_req, _res, next) => {
    heldCount += 1;
    await released;
    next();
  };
  await using app = await startApp({}, { versions: [withMiddleware(hold)] });
  const socket = await openSocket(app.origin);
  // The response to an upgrade request has Connection: close.
  socket.write(requestHead('GET /v1/pets', bearer(app.apiKey), 'Connection: Upgrade', 'Upgrade: h2c'));
  await expect.poll(() => heldCount).toBe(1);
  socket.write(creationBytes(app.apiKey, '{"name":"late","categoryId":1}'));
  await expect.poll(() => app.service.connections.outstandingBytes).toBeGreaterThan(0);
  release();
  await once(socket.resume(), 'close');
  expect(heldCount).toBe(1);
});

const keepAlive = { Connection: 'keep-alive', 'content-length': 5 };
test.each<[string, (res: Response) => unknown]>([
  ['res.end', (res) => res.end('Hello')],
  ['res.writeHead', (res) => res.writeHead(200, 'OK', keepAlive).end('Hello')],
  ['res.writeHead-with-a-list', (res) => res.writeHead(200, Object.entries(keepAlive).flat()).end('Hello')],
])('a response that middleware sends by %s has the right headers and log line', async (method, respond) => {
  await using app = await startApp({}, { versions: [withMiddleware((_req, res) => void respond(res))] });
  // The body never arrives, so the connection must end, also after `keepAlive`.
  const headers = [bearer(app.apiKey), `X-Request-Id: ${method}`, 'Content-Length: 1000'];
  const [response] = await sendRaw(app.origin, requestHead('POST /v1/pets', ...headers));

  expect(response).toMatchObject({ status: 200 });
  const expected = { 'x-request-id': method, 'x-content-type-options': 'nosniff', connection: 'close' };
  expect(Object.fromEntries(response?.headers ?? [])).toMatchObject(expected);
  await expect.poll(() => app.logLines()).toMatchObject([{ requestId: method, status: 200 }]);
});

test('a handler that fails in the middle of its response cuts the connection', async () => {
  const fail: RequestHandler = (_req, res, next) => void res.write('[', () => next(new Error('failed')));
  await using app = await startApp({}, { versions: [withMiddleware(fail)] });
  await expect(app.request('/pets').then((response) => response.text())).rejects.toThrow();
});

test('without its middleware a version fails a creation, which needs the caller, and adds no pet', async () => {
  const withoutMiddleware: ServedVersion = {
    ...servedVersion1,
    addEndpoints: (router, parts) => servedVersion1.addEndpoints(router, parts, []),
  };
  await using app = await startApp({}, { versions: [withoutMiddleware] });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a' };
  const body = '{"name":"Rex","categoryId":1}';
  const add = async () => (await fetch(`${app.baseUrl}/pets`, { method: 'POST', headers, body })).status;

  // The repetition is no replay: the first creation has stored nothing.
  expect([await add(), await add()]).toEqual([500, 500]);
  // A 500 has its stack in the log, unlike a 503.
  await expect.poll(() => app.logLines().filter(({ err }) => err)).toHaveLength(2);
  expect(await (await fetch(`${app.baseUrl}/pets`)).json()).toEqual([]);
});
