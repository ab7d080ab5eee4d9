import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { listen } from './listen.ts';

test.each([
  ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+\/v1$/],
  ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+\/v1$/],
  ['localhost', /^http:\/\/localhost:\d+\/v1$/],
])('on %s the address is one that can be called', async (HOST, address) => {
  const server = createServer();
  expect(await listen(server, readConfig({ HOST, PORT: '0' }))).toMatch(address);
  server.close();
});
