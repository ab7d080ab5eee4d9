import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { startShell } from '@petstore/test-support/programs';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('a folder with only the files of the image starts a server that adds a pet and reads it', async () => {
  await using folder = await temporaryFolder();
  const dockerfile = readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8');
  const [, command = ''] =
    /^RUN (pnpm --filter @petstore\/server .* deploy .*) \/app$/m.exec(dockerfile) ?? [];
  const deployed = startShell(`${command} --prefer-offline ${folder.file('app')}`, { cwd: ROOT });
  expect(await deployed.ended, deployed.output()).toBe(0);

  await using server = await startServer(
    { DATABASE_URL: `sqlite:${folder.file('petstore.db')}` },
    { cli: folder.file('app/dist/cli.js') },
  );
  const send = fetchWithKey(server.baseUrl, FIXED_KEY);
  const added = await send('/pets', { method: 'POST', body: '{"name":"Ñandú","categoryId":7}' });
  expect(added.status).toBe(201);
  expect(await (await send('/pets/1')).json()).toMatchObject({ id: 1, name: 'Ñandú', categoryId: 7 });
});
