import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { creationHead, openSocket, readResponses, sendRaw } from '@petstore/test-support/sockets/raw-http';
import { expect, test, vi } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { SqliteDatabase } from '../../src/database/sqlite/database.ts';

// Short limits, so that a test does not wait for the real ones.
vi.mock('../../src/http/limits.ts', async (importOriginal) => {
  const { limits } = await importOriginal<typeof import('../../src/http/limits.ts')>();
  return { limits: { ...limits, headersTimeoutMs: 500, requestTimeoutMs: 500, checkIntervalMs: 50 } };
});

const creation = (app: RunningApp, name: string) => {
  const body = JSON.stringify({ name, categoryId: 1 });
  return creationHead(app.apiKey, `Content-Length: ${body.length}`) + body;
};

test('many creations that are pipelined in one write all get their responses, in order', async () => {
  await using app = await startApp();
  const names = Array.from({ length: 100 }, (_, index) => `pet ${index}`);
  const responses = await sendRaw(app.origin, names.map((name) => creation(app, name)).join(''), {
    count: names.length,
  });
  expect(responses.map(({ status }) => status)).toEqual(names.map(() => 201));
  expect(responses.map(({ body }) => JSON.parse(body).name)).toEqual(names);
});

test('requests that wait on a connection when it is cut have no effects', async () => {
  await using app = await startApp();
  const socket = await openSocket(app.origin);
  const names = Array.from({ length: 90 }, (_, index) => `pet ${index}`);
  socket.write(names.map((name) => creation(app, name)).join(''));
  await once(socket, 'data');
  socket.resetAndDestroy();
  await expect.poll(() => app.logLines().at(-1)).toMatchObject({ status: 499 });
  const pets: unknown[] = JSON.parse(await (await app.request('/pets?limit=100')).text());
  expect(pets.length).toBeGreaterThan(0);
  expect(pets.length).toBeLessThan(names.length);
});

test.each([
  ['a chunk that is malformed', 'Transfer-Encoding: chunked', 'zz\r\n', false, 400],
  ['an end that comes too early', 'Content-Length: 100', '{"name":', true, 400],
  ['a chunked body that ends too early', 'Transfer-Encoding: chunked', '5\r\n{"nam', true, 400],
  ['a body that does not arrive in time', 'Content-Length: 100', '{"name":', false, 408],
])(
  'a body that breaks with %s leads to one response and one log line under the id of the caller',
  async (_what, headers, beginning, isEnded, status) => {
    await using app = await startApp();
    const socket = await openSocket(app.origin, { allowHalfOpen: true });
    socket.write(creationHead(app.apiKey, `${headers}\r\nX-Request-Id: of-the-caller`) + beginning);
    if (isEnded) socket.end();
    const responses = await readResponses(socket);
    socket.destroy();
    expect(responses.map((response) => response.status)).toEqual([status]);
    expect(responses[0]?.headers.get('x-request-id')).toBe('of-the-caller');
    expect(responses[0]?.headers.get('connection')).toBe('close');
    const lines = () => app.logLines().filter(({ requestId }) => requestId === 'of-the-caller');
    await expect.poll(lines).toMatchObject([{ status, route: '/v1/pets', key: 'test' }]);
    expect(JSON.parse(await (await app.request('/pets')).text())).toEqual([]);
  },
);

test('with the maximum of connections open, a further one replaces the one that was idle for longest', async () => {
  await using app = await startApp({ MAX_CONNECTIONS: '3' });
  const idle = [await openSocket(app.origin), await openSocket(app.origin), await openSocket(app.origin)];
  const closed = idle.map((socket) => once(socket.resume(), 'close'));
  // After this response, the first connection has been idle for the shortest time.
  idle[0]?.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(idle[0]?.resume() ?? process, 'data');
  const responses = await sendRaw(app.origin, 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(responses.map(({ status }) => status)).toEqual([200]);
  await closed[1];
  expect(idle.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  for (const socket of idle) socket.destroy();
});

test('idle connections are kept for KEEP_ALIVE_TIMEOUT_MS, which the header Keep-Alive contains', async () => {
  await using app = await startApp({ KEEP_ALIVE_TIMEOUT_MS: '300' });
  const socket = await openSocket(app.origin);
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  await readResponses(socket, { count: 1 });
  // Node adds a second, so that a request that is on its way is still served.
  await once(socket.resume(), 'close');
  await using usual = await startApp();
  const [response] = await sendRaw(usual.origin, 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n', { count: 1 });
  expect(response?.headers.get('keep-alive')).toBe('timeout=65');
});

test('simultaneous requests to /readyz share probes of the database', async () => {
  await using app = await startApp();
  const { database } = app.service;
  if (!(database instanceof SqliteDatabase)) throw new TypeError('The app has another database');
  const run = database.run.bind(database);
  let probes = 0;
  database.run = async (query) => {
    probes += 1;
    await sleep(500);
    return run(query);
  };
  const get = 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n';
  const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(app.origin)));
  for (const socket of sockets) socket.write(get);
  const responses = await Promise.all(sockets.map((socket) => readResponses(socket, { count: 1 })));
  expect(responses.flat().map(({ status }) => status)).toEqual(sockets.map(() => 200));
  expect(probes).toBeLessThan(sockets.length / 2);
  for (const socket of sockets) socket.destroy();
});

test.each([
  ['a JSON text', '/livez', 200],
  ['a file', '/docs', 200],
  ['a redirect', '/', 302],
  ['a 304', '/openapi.json', 304],
])('%s ends the connection of an upgrade request without further responses', async (_what, path, status) => {
  await using app = await startApp();
  const upgrade = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nIf-None-Match: *\r\n\r\n`;
  const get = (other: string) => `GET ${other} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const responses = await sendRaw(app.origin, upgrade + get('/nowhere') + get('/docs'));
  expect(responses.map((response) => response.status)).toEqual([status]);
  expect(responses[0]?.headers.get('connection')).toBe('close');
});

test.each([
  ['a JSON text', '/livez'],
  ['a file', '/docs'],
  ['a redirect', '/'],
])('a stopping server also responds to a request behind %s in one packet', async (_what, path) => {
  await using app = await startApp();
  app.service.connections.isStopping = true;
  const get = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  const responses = await sendRaw(app.origin, get + get);

  expect(responses.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'close']);
});

test('a page of many megabytes arrives completely, and the next response after it', async () => {
  await using app = await startApp();
  const name = 'Ñandú '.repeat(8_000);
  const body = JSON.stringify({ name, categoryId: 1 });
  for (let pet = 0; pet < 100; pet += 1) await app.request('/pets', { method: 'POST', body });
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.apiKey}\r\n\r\n`;
  const responses = await sendRaw(app.origin, get('/v1/pets?limit=100') + get('/livez'), { count: 2 });
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  const pets: { name: string }[] = JSON.parse(responses[0]?.body ?? '');
  expect(pets.map((pet) => pet.name)).toEqual(Array.from({ length: 100 }, () => name));
});
