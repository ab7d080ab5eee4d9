import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig, variables } from '../src/config.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the README has a row with the default of every variable', () => {
  const rows = [...README.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)];
  const documented = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]));
  const required = { PETSTORE_BASE_URL: 'http://127.0.0.1/v1', PETSTORE_API_KEY: 'key' };
  expect(Object.keys(documented).sort()).toEqual([...variables].sort());
  expect(readConfig({ ...documented, ...required })).toEqual(readConfig(required));
});
