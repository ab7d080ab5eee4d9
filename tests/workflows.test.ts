import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = new URL('../.github/workflows/', import.meta.url);
const workflows = readdirSync(folder).map((name): [string, string] => [
  name,
  readFileSync(new URL(name, folder), 'utf8'),
]);

describe.each(workflows)('the workflow %s', (_name, text) => {
  test('pins each action by the digest of its commit, and names the version', () => {
    const uses = Array.from(text.matchAll(/^ *(?:- )?uses: (.*)$/gm), ([, action = '']) => action);
    expect(uses).not.toEqual([]);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('has only read permissions, except where a comment says what a job writes', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
    for (const [line] of text.matchAll(/^ +[\w-]+: write.*$/gm)) expect(line).toMatch(/: write # \w/);
  });
});

test('CODEOWNERS names paths that exist, and owners for each', () => {
  const text = readFileSync(new URL('../CODEOWNERS', folder), 'utf8');
  const rules = Array.from(text.matchAll(/^([^#\s]\S*) +(.+)$/gm), ([, path = '', owners = '']) => ({
    path,
    owners,
  }));
  expect(rules.map(({ path }) => path)).toContain('/packages/contract/');
  for (const { path, owners } of rules) {
    expect(path === '*' || existsSync(new URL(`../..${path}`, folder)), path).toBe(true);
    expect(owners).toMatch(/^@petstore\/[\w-]+(?: @petstore\/[\w-]+)*$/);
  }
});
