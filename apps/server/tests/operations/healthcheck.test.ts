import { createServer } from 'node:net';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { listen } from '@petstore/test-support/servers/listen';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { runCommand } from '#support/commands';

test('petstore healthcheck says in one line and its exit code whether the server is ready', async () => {
  const environment = { HOST: '0.0.0.0', PORT: `${await findFreePort()}` };
  // A health check needs neither a database nor secrets.
  const incomplete = { ...environment, NODE_ENV: 'production', API_KEYS_FILE: '/none' };
  const check = (...options: string[]) => runCommand(['healthcheck', ...options], incomplete);
  expect(await check()).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^petstore: no response [^\n]+\n$/),
  });

  const silent = await listen(createServer(), Number(environment.PORT));
  expect(await check()).toMatchObject({ code: 1, stderr: expect.stringContaining(': it took too long') });
  await silent[Symbol.asyncDispose]();

  await using app = await startApp(environment);
  expect(await check()).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });

  app.service.connections.isStopping = true;
  expect(await check()).toEqual({ code: 1, stdout: '', stderr: 'petstore: /readyz responds 503\n' });
  expect(await check('--live')).toEqual({ code: 0, stdout: 'live\n', stderr: '' });

  const faulty = await runCommand(['healthcheck'], { HOST: 'two names', PORT: 'http' });
  // EX_CONFIG of sysexits.h, after which systemd does not restart a service.
  expect(faulty.code).toBe(78);
  expect(faulty.stderr).toMatch(/^petstore: HOST: .+\npetstore: PORT: .+\n$/);
});
