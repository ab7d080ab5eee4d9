import { openSocket, readResponses } from '@petstore/test-support/sockets/raw-http';
import { expect, test } from 'vitest';
import { startServer } from '#support/start-server';
import { limits } from '../limits.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const get = (count: number) => GET.repeat(count);

/** Node reads 64 KiB at a time, and parses all of it. */
const REQUESTS_IN_A_CHUNK = Math.ceil((64 * 1024) / GET.length);
const REQUESTS = 10 * REQUESTS_IN_A_CHUNK;

test('a new caller is served long before what others have pipelined', async () => {
  let floodRequests = 0;
  await using app = await startServer(({ path }, res) => {
    if (path === '/') floodRequests += 1;
    res.end('ok');
  });
  const flood = await Promise.all(Array.from({ length: 200 }, () => openSocket(app.origin)));
  await expect.poll(() => app.connections.openCount).toBe(200);
  for (const socket of flood) socket.resume().write(get(100));

  const newcomer = await openSocket(app.origin);
  newcomer.write('GET /new HTTP/1.1\r\nHost: a\r\n\r\n');
  await readResponses(newcomer, { count: 1 });

  expect(floodRequests).toBeLessThan(200 * 100 * 0.5);
  await expect.poll(() => floodRequests).toBe(200 * 100);
  for (const socket of [...flood, newcomer]) socket.destroy();
});

test('a connection that pipelines requests without end is not read while many of them wait', async () => {
  const released = Promise.withResolvers<void>();
  await using app = await startServer(async ({ path }, res) => {
    if (path !== '/ping') await released.promise;
    res.end();
  });
  let parsed = 0;
  app.server.on('request', () => {
    parsed += 1;
  });
  const [socket, other] = await Promise.all([openSocket(app.origin), openSocket(app.origin)]);
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
  });

  socket.write(get(REQUESTS));
  for (let turn = 0; turn < 20; turn += 1) {
    other.write('GET /ping HTTP/1.1\r\nHost: a\r\n\r\n');
    await readResponses(other, { count: 1 });
  }

  expect(parsed).toBeGreaterThan(limits.pipelinedRequests);
  expect(parsed).toBeLessThan(20 + 2 * REQUESTS_IN_A_CHUNK);
  released.resolve();
  await expect.poll(() => received).toBeGreaterThan(2 * REQUESTS_IN_A_CHUNK);
  for (const each of [socket, other]) each.destroy();
});
