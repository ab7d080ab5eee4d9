import type { Socket } from 'node:net';
import { openSocket, readResponses } from '@petstore/test-support/sockets/raw-http';
import { expect, test } from 'vitest';
import { startServer } from '#support/start-server';
import { sendJson } from './send-json.ts';

const MIB = 1024 * 1024;
/** More than the kernel takes for a caller that does not read. */
const BODY = Buffer.alloc(32 * MIB, 'a');

async function serve(body: Buffer | string) {
  const app = await startServer((_req, res) => void sendJson(res, body));
  const sockets: Socket[] = [];
  app.server.on('connection', (socket) => sockets.push(socket));
  return { ...app, sockets };
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('a caller that reads gets a large body as a whole, and then the next response', async () => {
  const text = 'Ñandú '.repeat(200_000);
  await using app = await serve(text);
  const socket = await openSocket(app.origin);
  socket.write(`${GET}HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  let received = '';
  for await (const chunk of socket.setEncoding('utf8')) received += chunk;
  const [, one, other] = received.split('HTTP/1.1 200 OK\r\n');
  expect(one?.slice(one.indexOf('\r\n\r\n') + 4)).toBe(text);
  expect(other).toMatch(/\r\n\r\n$/);
});

test('a connection whose caller does not read has one piece of a large body to send', async () => {
  await using app = await serve(BODY);
  const socket = await openSocket(app.origin);
  socket.pause();
  socket.write(GET);
  const sent = () => app.sockets[0]?.bytesWritten ?? 0;
  await expect.poll(sent).toBeGreaterThan(MIB);
  expect(sent()).toBeLessThan(BODY.length / 2);
  expect(app.sockets[0]?.writableLength).toBeLessThanOrEqual(MIB / 16);
  socket.destroy();
});

test('large bodies leave over many turns of the event loop, and small ones in between', async () => {
  await using app = await serve(BODY);
  const callers = await Promise.all(Array.from({ length: 30 }, () => openSocket(app.origin)));
  await expect.poll(() => app.sockets.length).toBe(30);
  let last = 0;
  let most = 0;
  let isMeasuring = true;
  (function measure() {
    const sent = app.sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);
    most = Math.max(most, sent - last);
    last = sent;
    if (isMeasuring) setImmediate(measure);
  })();

  const responses = callers.map((socket) => readResponses(socket, { count: 1 }));
  for (const socket of callers) socket.write(GET);
  await expect.poll(() => last).toBeGreaterThan(100 * MIB);
  isMeasuring = false;

  expect(most).toBeLessThan(2 * MIB);
  for (const socket of callers) socket.destroy();
  await Promise.allSettled(responses);
});
