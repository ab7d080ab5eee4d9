import { createServer } from 'node:net';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { listen } from '@petstore/test-support/servers/listen';
import { startServer } from '@petstore/test-support/servers/server-process';
import { expect, test, vi } from 'vitest';
import { startApp } from '#support/app';
import { failureOf, runCommand } from '#support/commands';

test('petstore healthcheck says with a line and its exit code whether the server is ready, with --live whether it responds, and names each wrong variable; HOST may have a zone, which no URL can have', async () => {
  const port = await findFreePort();
  // A server on this address listens on all addresses.
  const address = { HOST: '0.0.0.0', PORT: `${port}` };
  // A health check needs neither a database nor secrets.
  const environment = { ...address, NODE_ENV: 'production', API_KEYS_FILE: '/none' };
  const failure = () => failureOf(['healthcheck'], environment);
  expect(await failure()).toMatch(/^no response /);

  const silent = await listen(createServer(), port);
  expect(await failure()).toContain(': it took too long');
  await silent[Symbol.asyncDispose]();

  await using app = await startApp(address);
  expect(await runCommand(['healthcheck'], environment)).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });

  vi.spyOn(app.db, 'executeQuery').mockReturnValue(new Promise(() => {})); // Never responds.
  await expect.poll(failure).toBe('/readyz responds 503'); // On a busy machine, one response can be too late.
  const live = { code: 0, stdout: 'live\n', stderr: '' };
  expect(await runCommand(['healthcheck', '--live'], environment)).toEqual(live);
  const { stderr } = await runCommand(['healthcheck'], { HOST: 'two names', PORT: 'http' });
  expect(stderr).toMatch(/^petstore: HOST: .+\npetstore: PORT: must be digits\n$/);
  const zoned = { HOST: '::ffff:127.0.0.1%1', PORT: `${await findFreePort()}` };
  await using _zoned = await startServer(zoned);
  expect(await runCommand(['healthcheck'], zoned)).toMatchObject({ code: 0 });
});
