import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from './app.ts';

test('npx @petstore/cli, installed by name, imports the pets of a file and exports them', async () => {
  await using app = await createApp('programs', ['cli']);
  await writeFile(join(app.path, 'pets.csv'), 'name,categoryId\nAda,7\n');
  expect(await app.run('npx', '@petstore/cli', 'import', 'pets.csv')).toBe('1 added, 0 refused\n');
  expect(await app.run('npx', '@petstore/cli', 'export')).toMatch(/"name":"Ada","categoryId":7\}\n/);
});

test.each(['22.12.0', '24', 'latest'])('pets runs on Node.js %s', async (version) => {
  await using app = await createApp('programs', ['cli'], { node: version });
  const pets = (...args: string[]) =>
    app.run('node_modules/node/bin/node', 'node_modules/@petstore/cli/dist/cli.js', ...args);
  expect(await pets('add', 'Rex', '--category', '9007199254740993')).toContain(
    '"categoryId":9007199254740993',
  );
  expect(await pets('list', '--format', 'table')).toMatch(/^id +name +categoryId +status\n/);
  await writeFile(join(app.path, 'pets.ndjson'), '{"name":"Ada","categoryId":7}\n');
  expect(await pets('import', 'pets.ndjson')).toBe('1 added, 0 refused\n');
});
