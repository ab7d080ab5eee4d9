import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { creationBytes, creationHead } from '@petstore/test-support/pet-store-http';
import { bearer, openSocket, readResponses, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { startApp, useApp } from '#support/app';
import { addPets, lockSqlite } from '#support/database';
import { limits } from '../../src/http/limits.ts';
import { openAdminListener } from '../../src/service/admin-listener.ts';

const usual = { ...limits };
/** Limits for which the tests need not wait long. Some tests set others. */
const SHORT = { headersTimeoutMs: 600, requestTimeoutMs: 1_200, checkIntervalMs: 50, lingerMs: 300 };
Object.assign(limits, SHORT);
afterEach(() => void Object.assign(limits, usual, SHORT));
afterAll(() => void Object.assign(limits, usual));
const app = await useApp();

const get = (path: string, ...headers: string[]) => requestHead(`GET ${path}`, ...headers);
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status);

test('pipelined creations get their responses in order, and those that wait when the connection is cut have no effects', async () => {
  // More than may wait on one connection, and fewer than a page has.
  const names = Array.from({ length: 90 }, (_, index) => `pet ${index}`);
  const creationOf = (name: string) => creationBytes(app.apiKey, JSON.stringify({ name, categoryId: 1 }));
  const pipelined = names.map(creationOf).join('');
  const socket = await openSocket(app.origin);
  socket.write(pipelined);
  await once(socket, 'data');
  socket.resetAndDestroy();
  await expect.poll(() => app.logLines().at(-1)).toMatchObject({ status: 499 });
  const added: unknown[] = JSON.parse(await (await app.request('/pets?limit=100')).text());
  expect(added.length).toBeGreaterThan(0);
  expect(added.length).toBeLessThan(names.length);

  const responses = await sendRaw(app.origin, pipelined, { count: names.length });
  expect(statusesOf(responses)).toEqual(names.map(() => 201));
  expect(responses.map(({ body }) => JSON.parse(body).name)).toEqual(names);
});

test.each([
  ['a chunk that is malformed', 'Transfer-Encoding: chunked', 'zz\r\n', 'continues'],
  ['an end that comes too early', 'Content-Length: 100', '{"name":', 'ends'],
])(
  'a body that breaks with %s leads to one 400 and one log line under the id of the caller',
  async (what, headers, beginning, caller) => {
    const id = what.replaceAll(' ', '-');
    using socket = await openSocket(app.origin, { allowHalfOpen: true });
    socket.write(creationHead(app.apiKey, headers, `X-Request-Id: ${id}`) + beginning);
    if (caller === 'ends') socket.end();
    const responses = await readResponses(socket);
    expect(statusesOf(responses)).toEqual([400]);
    expect(responses[0]?.headers.get('x-request-id')).toBe(id);
    expect(responses[0]?.headers.get('connection')).toBe('close');
    const lines = () => app.logLines().filter(({ requestId }) => requestId === id);
    await expect.poll(lines).toMatchObject([{ status: 400, route: '/v1/pets', key: 'test' }]);
  },
);

/** Sends a character now and then, until the connection is closed. */
function trickle(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text.charAt(sent++ % text.length)), 50);
  socket.once('close', () => clearInterval(timer));
}

// These tests run concurrently, because each waits for its limit.
test.concurrent.each<[what: string, beginning: string, rest: string, limit: keyof typeof SHORT]>([
  ['headers that trickle', 'GET /v1/pets HTTP/1.1\r\n', 'X-Header: y\r\n', 'headersTimeoutMs'],
  ['a connection without a request', '', '', 'headersTimeoutMs'],
  ['a body that trickles', creationHead(app.apiKey, 'Content-Length: 10000'), ' ', 'requestTimeoutMs'],
])(
  '%s gets 408 at the limit, and the connection is reset even if the caller keeps it open',
  async (_what, beginning, rest, limit) => {
    const start = performance.now();
    const socket = await openSocket(app.origin, { allowHalfOpen: true });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(beginning);
    if (rest) trickle(socket, rest);
    expect(statusesOf(await readResponses(socket))).toEqual([408]);
    expect(performance.now() - start).toBeGreaterThan(SHORT[limit]);
    trickle(socket, 'x'); // After the server's FIN, only a caller that sends notices a reset.
    await closed;
    // By default Node looks for expired requests every 30 seconds.
    expect(performance.now() - start).toBeLessThan(20_000);
    // Otherwise the connection would be cut before the 408.
    expect(usual.inactivityMs).toBeGreaterThan(usual.requestTimeoutMs + usual.checkIntervalMs);
  },
);

test('with the maximum of connections open, a further one replaces the one that was idle for longest', async () => {
  await using small = await startApp({ MAX_CONNECTIONS: '3' });
  const first = await openSocket(small.origin);
  const second = await openSocket(small.origin);
  const third = await openSocket(small.origin);
  const secondCloses = once(second.resume(), 'close');
  // After this response, the first connection has been idle for the shortest time.
  first.write(get('/livez'));
  await readResponses(first, { count: 1 });
  expect(statusesOf(await sendRaw(small.origin, get('/livez', 'Connection: close')))).toEqual([200]);
  await secondCloses;
  expect([first.destroyed, third.destroyed]).toEqual([false, false]);
  expect(small.service.overloadLog.cutCount).toBe(1);
});

test('idle connections are kept for KEEP_ALIVE_TIMEOUT_MS, which the header Keep-Alive contains', async () => {
  await using brief = await startApp({ KEEP_ALIVE_TIMEOUT_MS: '1000' });
  const socket = await openSocket(brief.origin);
  const start = performance.now();
  socket.write(get('/livez'));
  const [response] = await readResponses(socket, { count: 1 });
  expect(response?.headers.get('keep-alive')).toBe('timeout=1');
  // Node adds a second, so that a request that is on its way is still served.
  await once(socket.resume(), 'close');
  expect(performance.now() - start).toBeGreaterThan(1_000);
});

test('the admin listener closes a connection without a request at the limit of the headers', async () => {
  await using admin = await openAdminListener({ host: '127.0.0.1', port: 0 }, async () => true);
  const socket = (await openSocket(admin.origin)).resume();
  // Node's own limit is a minute.
  await expect.poll(() => socket.closed, { timeout: 15_000 }).toBe(true);
});

test('the connection of an upgrade request ends without further responses, and CONNECT behind another request cuts the connection', async () => {
  const upgrade = get('/livez', 'Connection: Upgrade', 'Upgrade: h2c');
  const responses = await sendRaw(app.origin, upgrade + get('/nowhere') + get('/docs'));
  expect(responses.map((each) => [each.status, each.headers.get('connection')])).toEqual([[200, 'close']]);
  expect(await sendRaw(app.origin, get('/livez') + requestHead('CONNECT a:80'))).toEqual([]);
});

test('on many connections at once, a refused body, a large page and a further request get complete responses in order', async () => {
  // On a busy machine many callers at once take longer than the short limits.
  Object.assign(limits, usual);
  await using large = await startApp();
  const newPets = Array.from({ length: 100 }, () => ({ name: 'Ñandú '.repeat(500), categoryId: 1 }));
  const pets = await addPets(large.service.database, newPets);
  // The 401 must wait until the body in its packet is parsed: a response before the end of the body is the last one.
  const page = creationBytes('unknown') + get('/v1/pets?limit=100', bearer(large.apiKey));
  // More callers than the 16 pieces that the server sends in a turn of the event loop.
  const callers = await Promise.all(Array.from({ length: 20 }, () => openSocket(large.origin)));
  // First all are accepted, which takes a turn each. Then one turn reads the requests of all.
  for (const caller of callers) caller.write(get('/livez'));
  for (const caller of callers) await readResponses(caller, { count: 1 });
  const reading = callers.map((caller) => readResponses(caller, { count: 3 }));
  for (const caller of callers) caller.write(page + get('/livez'));
  for (const responses of await Promise.all(reading)) {
    expect(statusesOf(responses)).toEqual([401, 200, 200]);
    expect(JSON.parse(responses[1]?.body ?? '')).toEqual(pets);
  }
});

test('a body still counts as outstanding bytes after the response to the previous request, its chunks by the memory that they take', async () => {
  // A busy machine may take longer than the short limits.
  Object.assign(limits, usual);
  await using app = await startApp();
  const { connections } = app.service;
  // In memory, each of these chunks takes 401 bytes, and all of them 4 MB.
  const chunks = '1\r\n \r\n'.repeat(10_000);
  const unlock = lockSqlite(app.url);
  const socket = await openSocket(app.origin);
  socket.write(creationBytes(app.apiKey));
  await expect.poll(() => connections.openCount - connections.idle.size).toBe(1);
  socket.write(creationHead(app.apiKey, 'Transfer-Encoding: chunked') + chunks);
  await expect.poll(() => connections.outstandingBytes).toBeGreaterThan(1e6);
  unlock();
  expect(statusesOf(await readResponses(socket, { count: 1 }))).toEqual([201]);
  expect(connections.outstandingBytes).toBeGreaterThan(1e6);
  // Chunks that arrive while their request is being served count as well.
  socket.write(chunks);
  await expect.poll(() => connections.outstandingBytes).toBeGreaterThan(5e6);
  socket.destroy();
  await expect.poll(() => connections.outstandingBytes).toBe(0);
});

test('the rest of a body is not read before the key of its request is checked', async () => {
  const unlock = lockSqlite(app.url);
  using socket = await openSocket(app.origin);
  const largeHead = requestHead('POST /v1/pets', 'Content-Length: 1', `X: ${'x'.repeat(10_000)}`);
  socket.write(creationBytes(app.apiKey) + largeHead);
  await expect.poll(() => app.service.connections.outstandingBytes).toBeGreaterThan(largeHead.length);
  socket.write('x');
  // The server has had time to read the byte once it has responded to another caller.
  await sendRaw(app.origin, get('/livez'), { count: 1 });
  unlock();
  const [, refused] = await readResponses(socket, { count: 2 });
  // After a body that was read, the connection would stay open.
  expect([refused?.status, refused?.headers.get('connection')]).toEqual([401, 'close']);
});

test('a caller that goes on sending a refused body can still read the response', async () => {
  Object.assign(limits, { lingerMs: 60_000 });
  const socket = await openSocket(app.origin);
  socket.pause();
  socket.write(creationHead('unknown', 'Content-Length: 100'));
  await expect.poll(() => app.logLines().at(-1)).toMatchObject({ status: 401 });
  for (const byte of 'abc') {
    socket.write(byte);
    // A closed connection would be reset now, which the next byte would notice.
    await sleep(20);
  }
  socket.resume();
  expect(statusesOf(await readResponses(socket))).toEqual([401]);
});

test('a response counts as outstanding until its caller reads it or is cut, and a stop waits for it', async () => {
  Object.assign(limits, { inactivityMs: 1_000, requestTimeoutMs: 600_000, idleGraceMs: 10 });
  await using large = await startApp();
  const { connections, server } = large.service;
  // The kernel takes less than half of this page. Each of its characters has two bytes.
  const pets = Array.from({ length: 100 }, () => ({ name: 'Ñ'.repeat(50_000), categoryId: 1 }));
  await addPets(large.service.database, pets);
  const page = get('/v1/pets?limit=100', bearer(large.apiKey));
  const [unread, [accepted]] = await Promise.all([openSocket(large.origin), once(server, 'connection')]);
  const unsent: number[] = [];
  accepted.prependOnceListener('timeout', () => unsent.push(accepted.writableLength));
  unread.write(page);
  await expect.poll(() => connections.outstandingBytes).toBeGreaterThan(1e7);
  await expect.poll(() => [connections.openCount, connections.outstandingBytes]).toEqual([0, 0]);
  // One piece waits: a larger text would be copied to the kernel again and again.
  expect(unsent).toSatisfy(([bytes = 0]) => bytes > 0 && bytes < 200_000);

  const late = await openSocket(large.origin);
  late.write(page);
  await once(late, 'readable');
  const stopped = connections.stop(server, { graceMs: 0 });
  // A stop that did not wait would cut the connection in this time.
  await sleep(100);
  const [whole] = await readResponses(late, { count: 1 });
  expect(JSON.parse(whole?.body ?? '')).toHaveLength(100);
  const start = performance.now();
  await stopped;
  expect(performance.now() - start).toBeLessThan(usual.shutdownMs / 2);
  for (const socket of [unread, late]) socket.destroy();
});

test('a stop still serves a request that arrives on an idle connection, as its last one', async () => {
  // `expect.poll` advances the timers, but by less than this grace.
  Object.assign(limits, usual, { idleGraceMs: 60_000 });
  vi.useFakeTimers({ toFake: ['setInterval'] });
  await using stopping = await startApp();
  const { connections, server } = stopping.service;
  const socket = await openSocket(stopping.origin);
  socket.write(get('/livez'));
  await readResponses(socket, { count: 1 });
  const stopped = connections.stop(server, { graceMs: 0 });
  await expect.poll(() => server.listening).toBe(false);
  // After a timer, the event loop reads requests: the grace ends before the server reads this one.
  await sleep(0);
  socket.write(get('/livez'));
  vi.advanceTimersByTime(limits.idleGraceMs);
  const [response] = await readResponses(socket);
  expect([response?.status, response?.headers.get('connection')]).toEqual([200, 'close']);
  await stopped;
});

test('a stop cuts a request that takes longer than shutdownMs', async () => {
  Object.assign(limits, usual, { shutdownMs: 200, endMs: 600_000 });
  await using stopping = await startApp();
  const socket = await openSocket(stopping.origin);
  socket.write(creationHead(stopping.apiKey, 'Expect: 100-continue', 'Content-Length: 10'));
  await once(socket, 'data');
  const responses = readResponses(socket);
  await stopping.service.connections.stop(stopping.service.server, { graceMs: 0 });
  // At requestTimeoutMs the request would get 408. A cut at endMs would come after the time limit of the test.
  expect(await responses).toEqual([]);
});
