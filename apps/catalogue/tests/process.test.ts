import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { forwardUnchanged } from '@petstore/test-support/proxies/http-proxy';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type App, startApp } from './support/app.ts';
import { runCatalogue, startCatalogue } from './support/catalogue.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
});

afterEach(() => app.reset());

afterAll(() => app[Symbol.asyncDispose]());

describe('the process', () => {
  test.each([
    [{}, 'PETSTORE_BASE_URL is required'],
    [{ PETSTORE_BASE_URL: 'pets.example' }, 'PETSTORE_BASE_URL must be an http(s) URL'],
    [{ PETSTORE_BASE_URL: 'http://pets.example' }, 'PETSTORE_BASE_URL must end with /v1'],
    [
      { PETSTORE_BASE_URL: 'http://a:b@pets.example/v1', PETSTORE_API_KEY: 'key' },
      'must not contain a user name or a password',
    ],
    [
      { PETSTORE_BASE_URL: 'http://pets.example/v1' },
      'PETSTORE_API_KEY or PETSTORE_API_KEY_FILE is required',
    ],
    [{ PETSTORE_BASE_URL: 'http://pets.example/v1', PETSTORE_API_KEY_FILE: '/none' }, "open '/none'"],
    [{ PETSTORE_BASE_URL: 'http://pets.example/v1', PORT: '70000' }, 'PORT must be at most 65535'],
    [
      { PETSTORE_BASE_URL: 'http://pets.example/v1', TRUSTED_PROXIES: '10.0.0.0/33' },
      'TRUSTED_PROXIES must be addresses or networks',
    ],
    [
      { PETSTORE_BASE_URL: 'http://pets.example/v1', TRUSTED_USER_HEADER: 'a b' },
      'TRUSTED_USER_HEADER must be the name of a header',
    ],
  ])('ends with one line and code 1 with %o', async (environment, message) => {
    const { code, output } = await runCatalogue(environment);
    expect(output).toContain(message);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });

  test('ends with one line when its port is taken', async () => {
    const { port } = new URL(app.catalogue.origin);
    const environment = { PETSTORE_BASE_URL: app.petStoreUrl, PETSTORE_API_KEY: 'key', PORT: port };
    expect(await runCatalogue(environment)).toMatchObject({
      code: 1,
      output: expect.stringContaining('EADDRINUSE'),
    });
  });

  test('responds to health checks without a user, and reads a rotated key without a restart', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('key');
    writeFileSync(file, 'not-a-key-of-the-pet-store');
    await using catalogue = await startCatalogue({
      PETSTORE_BASE_URL: app.petStoreUrl,
      PETSTORE_API_KEY: '',
      PETSTORE_API_KEY_FILE: file,
    });
    expect((await fetch(`${catalogue.origin}/healthz`)).status).toBe(200);
    const refused = await app.request('/animals', {}, catalogue.origin);
    expect(refused.status).toBe(502);
    await expect.poll(() => catalogue.output()).toContain('"status":401');
    writeFileSync(file, `${FIXED_KEY}\n`);
    expect((await app.request('/animals', {}, catalogue.origin)).status).toBe(200);
  });

  test('lets a request in progress finish after SIGTERM', async () => {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using catalogue = await startCatalogue({ PETSTORE_BASE_URL: app.petStoreUrl });
    app.setFault(async (passage) => {
      arrived.resolve();
      await released.promise;
      await forwardUnchanged(passage);
    });
    const response = app.request('/animals', {}, catalogue.origin);
    await arrived.promise;
    const stopped = catalogue.stop('SIGTERM');
    await expect.poll(() => catalogue.output()).toContain('Stopping');
    const start = performance.now();
    released.resolve();
    expect((await response).status).toBe(200);
    expect(await stopped).toBe(0);
    // Not only when the connection, which the browser would keep, is cut after 20 seconds.
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
