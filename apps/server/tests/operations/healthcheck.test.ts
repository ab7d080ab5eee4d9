import { createServer } from 'node:net';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { listen } from '@petstore/test-support/servers/listen';
import { expect, test } from 'vitest';
import { startApp } from '#support/app';
import { failureOf, runCommand } from '#support/commands';

test('petstore healthcheck says in one line and its exit code whether the server is ready', async () => {
  const environment = { HOST: '0.0.0.0', PORT: `${await findFreePort()}` };
  // A health check needs neither a database nor secrets.
  const incomplete = { ...environment, NODE_ENV: 'production', API_KEYS_FILE: '/none' };
  const check = (...options: string[]) => runCommand(['healthcheck', ...options], incomplete);
  const failure = () => failureOf(['healthcheck'], incomplete);
  expect(await failure()).toMatch(/^no response /);

  const silent = await listen(createServer(), Number(environment.PORT));
  expect(await failure()).toContain(': it took too long');
  await silent[Symbol.asyncDispose]();

  await using app = await startApp(environment);
  expect(await check()).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });

  app.service.connections.isStopping = true;
  expect(await failure()).toBe('/readyz responds 503');
  expect(await check('--live')).toEqual({ code: 0, stdout: 'live\n', stderr: '' });

  const faulty = await runCommand(['healthcheck'], { HOST: 'two names', PORT: 'http' });
  expect(faulty.stderr).toMatch(/^petstore: HOST: .+\npetstore: PORT: .+\n$/);
});
