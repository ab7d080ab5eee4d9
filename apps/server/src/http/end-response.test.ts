import type { Socket } from 'node:net';
import { openSocket } from '@petstore/test-support/sockets/raw-http';
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
