import { temporaryFolder } from '@petstore/test-support/files';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { createApp } from './app.ts';

test('npx @petstore/conformance, installed by name, passes against the service', async () => {
  await using folder = await temporaryFolder();
  // A service of its own: the checks add pets that the other tests do not expect.
  await using server = await startServer({ DATABASE_URL: `sqlite:${folder.file('petstore.db')}` });
  await using app = await createApp('programs', ['conformance']);
  const args = ['--base-url', server.baseUrl, '--api-key', FIXED_KEY];
  const { output, code } = await app.attempt('npx', '@petstore/conformance', ...args);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^\d+ passed, 0 failed/m);
});
