import { readFileSync, writeFileSync } from 'node:fs';
import { startShell } from '@petstore/test-support/programs';
import { codeBlocks, variablesOf } from '@petstore/test-support/readme';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { API_KEY, useApp } from './support/app.ts';

const ROOT = `${import.meta.dirname}/../../..`;
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const REQUIRED = { PETSTORE_BASE_URL: 'http://127.0.0.1/v1', PETSTORE_API_KEY: 'key' };

const app = await useApp();

test('the commands of the README start the catalogue for a running pet store', async () => {
  const [, run] = codeBlocks(README, 'sh');
  const commands = (run?.code ?? '')
    // The test leaves out the build, because other tests use its output at the same time.
    .replace('pnpm build\n', '')
    .replace('http://127.0.0.1:3000/v1', app.petStoreUrl)
    .replace('pst_…', API_KEY);
  const port = await findFreePort();
  await using _catalogue = startShell(commands, { cwd: ROOT, environment: { PORT: `${port}` } });
  const request = () => app.request('/animals', { to: `http://127.0.0.1:${port}` });
  await expect.poll(async () => (await request()).status).toBe(200);
});

test('the README has a row with the default of every variable', () => {
  const documented = variablesOf(README);
  // A configuration has either a key or the file of a key, which may be any file that can be read.
  const keyFile = { PETSTORE_API_KEY: '', PETSTORE_API_KEY_FILE: import.meta.filename };
  const variables = Object.keys({ ...readConfig(REQUIRED), ...readConfig({ ...REQUIRED, ...keyFile }) });
  expect(Object.keys(documented).sort()).toEqual(variables.sort());
  expect(readConfig({ ...documented, ...REQUIRED })).toEqual(readConfig(REQUIRED));
  // An empty variable counts as missing, so the line above accepts any empty default.
  const empty = ['PETSTORE_BASE_URL', 'PETSTORE_API_KEY', 'PETSTORE_API_KEY_FILE', 'CATEGORIES_FILE'];
  expect(variables.filter((name) => !documented[name]).sort()).toEqual(empty.sort());
});

test('a CATEGORIES_FILE as in the README is read, with and without a byte order mark', async () => {
  const [, example = ''] = /such as `(\{.*\})`/.exec(README) ?? [];
  for (const mark of ['', '\ufeff']) {
    const CATEGORIES_FILE = app.folder.file('categories.json');
    writeFileSync(CATEGORIES_FILE, mark + example);
    const { CATEGORIES_FILE: categories } = readConfig({ ...REQUIRED, CATEGORIES_FILE });
    expect(Object.fromEntries(categories)).toEqual(JSON.parse(example));
  }
});
