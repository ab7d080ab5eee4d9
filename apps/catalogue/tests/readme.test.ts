import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { startShell } from '@petstore/test-support/programs';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const REQUIRED = { PETSTORE_BASE_URL: 'http://127.0.0.1/v1', PETSTORE_API_KEY: 'key' };

const [tryIt = '', runIt = ''] = Array.from(README.matchAll(/^```sh\n(.*?)^```/gms), ([, text = '']) => text);

test('pnpm demo starts both apps with animals, and never opens an exported DATABASE_URL', async () => {
  await using folder = await temporaryFolder();
  const [port, cataloguePort] = [await findFreePort(), await findFreePort()];
  const exported = folder.file('exported.db');
  const environment = {
    PORT: `${port}`,
    CATALOGUE_PORT: `${cataloguePort}`,
    DATABASE_URL: `sqlite:${exported}`,
  };
  const scripts: Record<string, string> = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts;
  expect(tryIt).toBe('pnpm demo\n');
  // The test leaves out the build, because other tests use its output at the same time.
  const command = `exec ${scripts.demo?.split(' && ').at(-1)} --database ${folder.file('demo.db')}`;
  await using demo = startShell(command, { cwd: ROOT, environment });
  await expect.poll(demo.output).toContain(`http://127.0.0.1:${cataloguePort}`);
  expect(demo.output()).toMatch(/^\n {2}Catalogue/);
  const page = await (await fetch(`http://127.0.0.1:${cataloguePort}/animals`)).text();
  expect(page.match(/id="animal-/g)).toHaveLength(60);
  expect(existsSync(exported)).toBe(false);
  // With the port of a service that runs already, as after `pnpm start`, and of a catalogue.
  for (const [variable, taken] of [
    ['PORT', port],
    ['CATALOGUE_PORT', cataloguePort],
  ] as const) {
    const ports = { PORT: `${await findFreePort()}`, CATALOGUE_PORT: `${await findFreePort()}` };
    await using second = startShell(command, {
      cwd: ROOT,
      environment: { ...ports, [variable]: `${taken}` },
    });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(new RegExp(`^${taken} is in use: .* or set ${variable} .*\\n$`));
  }
  expect(await demo.end('SIGINT')).toBe(0);
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
});

test('the commands of the README start the catalogue for a running pet store', async () => {
  await using server = await startServer();
  const commands = runIt
    .replace('pnpm build\n', '')
    .replace('http://127.0.0.1:3000/v1', server.baseUrl)
    .replace('pst_…', FIXED_KEY);
  const port = await findFreePort();
  await using _catalogue = startShell(commands, { cwd: ROOT, environment: { PORT: `${port}` } });
  const respond = () => fetch(`http://127.0.0.1:${port}/animals`, { headers: { 'X-Forwarded-User': 'ada' } });
  await expect.poll(() => respond().then(({ status }) => status, String)).toBe(200);
});

test('the README has a row with the default of every variable', () => {
  const rows = [...README.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)];
  const documented = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]));
  // Any existing path is accepted. Without it the variable would be missing from the result.
  const variables = Object.keys(readConfig({ ...REQUIRED, PETSTORE_API_KEY_FILE: ROOT }));
  expect(Object.keys(documented).sort()).toEqual(variables.sort());
  expect(readConfig({ ...documented, ...REQUIRED })).toEqual(readConfig(REQUIRED));
});

test('a CATEGORIES_FILE as in the README is read, with and without a byte order mark', async () => {
  const [, example = ''] = /such as `(\{.*\})`/.exec(README) ?? [];
  await using folder = await temporaryFolder();
  for (const mark of ['', '\ufeff']) {
    const CATEGORIES_FILE = folder.file('categories.json');
    writeFileSync(CATEGORIES_FILE, mark + example);
    const { CATEGORIES_FILE: categories } = readConfig({ ...REQUIRED, CATEGORIES_FILE });
    expect(Object.fromEntries(categories)).toEqual(JSON.parse(example));
  }
});
