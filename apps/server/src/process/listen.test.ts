import { createServer } from 'node:http';
import { expect, test, vi } from 'vitest';
import { readConfig } from './config.ts';
import { listen, listenAsConfigured } from './listen.ts';
import { originOf } from './origin.ts';

test.each([
  ['EACCES', 'PORT: this user may not listen on 80'],
  ['EADDRNOTAVAIL', 'HOST: cannot listen on 127.0.0.1: EADDRNOTAVAIL'],
])('%s of a port is reported as "%s"', async (code, message) => {
  const server = createServer();
  // Tests may run as root, which may listen on every port.
  vi.spyOn(server, 'listen').mockReturnThis();
  const listening = listen(server, { host: '127.0.0.1', port: 80 });
  server.emit('error', Object.assign(new Error(code), { code }));
  await expect(listening).rejects.toThrow(message);
});

test.each([
  ['a socket of systemd', { LISTEN_FDS: '1' }, [{ fd: 3 }, 4000]],
  ['a port', { PORT: '80' }, [{ host: '127.0.0.1', port: 80, backlog: 4000 }]],
])('%s gets MAX_CONNECTIONS as its backlog', async (_what, environment, listenArguments) => {
  const server = createServer();
  const spy = vi.spyOn(server, 'listen').mockReturnThis();
  vi.spyOn(server, 'address').mockReturnValue({ address: '127.0.0.1', family: 'IPv4', port: 80 });
  const listening = listenAsConfigured(server, readConfig({ ...environment, MAX_CONNECTIONS: '4000' }));
  server.emit('listening');
  expect(await listening).toBe('http://127.0.0.1:80');
  expect(spy).toHaveBeenCalledWith(...listenArguments);
});

test('a socket of systemd with a path instead of a port is refused', async () => {
  const server = createServer();
  vi.spyOn(server, 'listen').mockReturnThis();
  vi.spyOn(server, 'address').mockReturnValue('/run/petstore.sock');
  const listening = listenAsConfigured(server, readConfig({ LISTEN_FDS: '1' }));
  server.emit('listening');
  await expect(listening).rejects.toThrow('LISTEN_FDS: the socket must be a TCP socket');
});

test('the origin of an address has brackets around IPv6, and never a wildcard', () => {
  const hosts = ['::', '::1', '0.0.0.0', 'pets.example'];
  const origins = ['http://[::1]:80', 'http://[::1]:80', 'http://127.0.0.1:80', 'http://pets.example:80'];
  expect(hosts.map((host) => originOf(host, 80))).toEqual(origins);
});
