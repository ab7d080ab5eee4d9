import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test.each([
  ['EACCES', 'PORT: this user may not listen on 80'],
  ['EADDRINUSE', 'PORT: 80 is in use on 127.0.0.1; choose another, or 0'],
  ['EADDRNOTAVAIL', 'HOST: cannot listen on 127.0.0.1: EADDRNOTAVAIL'],
])('%s of a port is reported as "%s"', async (code, message) => {
  const server = createServer();
  // Tests may run as root, which may listen on every port.
  server.listen = () => {
    process.nextTick(() => server.emit('error', Object.assign(new Error(code), { code })));
    return server;
  };
  await expect(listen(server, { host: '127.0.0.1', port: 80 })).rejects.toThrow(message);
});

test('a host that has no address is reported as HOST', async () => {
  const listening = listen(createServer(), { host: 'no.such.host.invalid', port: 0 });
  await expect(listening).rejects.toThrow(/^HOST: cannot listen on no\.such\.host\.invalid: E/);
});
