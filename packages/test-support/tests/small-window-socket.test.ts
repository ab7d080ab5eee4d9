import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../src/servers/listen.ts';
import { openSmallWindowSocket } from '../src/sockets/small-window-socket.ts';
import { hasSystemCalls } from '../src/sockets/system-calls.ts';

test.runIf(hasSystemCalls)(
  'a server hands over less than 100 kB to a small-window socket that does not read',
  async () => {
    const handedOver = Promise.withResolvers<number>();
    const server = createServer((socket) => {
      socket.on('error', () => {});
      let written = 0;
      do written += 1_000;
      while (socket.write(Buffer.alloc(1_000)));
      // Node holds 64 kB of its own besides.
      handedOver.resolve(written - socket.writableLength);
    });
    await using listening = await listen(server);

    const socket = await openSmallWindowSocket(listening.origin, { readable: false });

    expect(await handedOver.promise).toBeLessThan(100_000);
    socket.destroy();
  },
);

test.runIf(hasSystemCalls)('a small-window socket that reads gets everything', async () => {
  const server = createServer((socket) => socket.end(Buffer.alloc(1_000_000)));
  await using listening = await listen(server);

  const socket = await openSmallWindowSocket(listening.origin);

  let received = 0;
  for await (const chunk of socket) received += chunk.length;
  expect(received).toBe(1_000_000);
});

test.runIf(hasSystemCalls)('a small-window socket to a port without a server is refused', async () => {
  const gone = await listen(createServer());
  await gone[Symbol.asyncDispose]();

  await expect(openSmallWindowSocket(gone.origin)).rejects.toThrow('connect: ECONNREFUSED');
});
