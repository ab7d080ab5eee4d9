import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { startDelayingProxy } from '../src/proxies/delaying-proxy.ts';
import { listen } from '../src/servers/listen.ts';

const DELAY_MS = 20;
/** A timer of Node may fire up to a millisecond early. */
const TOLERANCE_MS = 2;

it('delays the bytes in both directions, and keeps their order', async () => {
  await using echo = await listen(createServer((socket) => socket.pipe(socket)));
  await using proxy = await startDelayingProxy(Number(new URL(echo.origin).port), DELAY_MS);
  const client = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
  await once(client, 'connect');
  const start = performance.now();

  for (const word of ['one ', 'two ', 'three']) client.write(word);
  await once(client, 'readable');
  const roundTripMs = performance.now() - start;
  let received = '';
  for await (const bytes of client) {
    received += bytes;
    if (received.length >= 'one two three'.length) break;
  }

  expect(received).toBe('one two three');
  expect(roundTripMs).toBeGreaterThan(2 * DELAY_MS - TOLERANCE_MS);
});
