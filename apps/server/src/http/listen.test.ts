import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test.each([
  ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
  ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ['localhost', /^http:\/\/localhost:\d+$/],
])('on %s the address is one that can be called', async (host, address) => {
  const server = createServer();
  expect(await listen(server, { host, port: 0 })).toMatch(address);
  server.close();
});
