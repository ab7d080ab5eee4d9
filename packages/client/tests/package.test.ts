import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DIST = new URL('../dist/', import.meta.url);

/** The packages that built modules import: each name after `from` or `import` that does not begin with a dot. */
function importedPackages(pattern: string): string[] {
  const sources = globSync(pattern, { cwd: DIST }).map((path) => readFileSync(new URL(path, DIST), 'utf8'));
  const specifiers = [...sources.join('\n').matchAll(/(?:\bfrom|\bimport)[\s(]*["']([^."'].*?)["']/g)];
  return [...new Set(specifiers.map(([, name = '']) => name))].toSorted();
}

test.each([
  ['the declarations of each entry', '{*,!(testing)/*,testing/memory-pet-store}.d.ts', []],
  ['the client', '*.js', []],
  ['the fetcher for ts-rest', 'integrations/ts-rest.js', []],
  ['the in-memory pet store', 'testing/*.js', ['@petstore/contract', '@petstore/contract/openapi.json']],
  ['the fetch for Node.js', 'integrations/node.js', ['undici']],
])('the documented peers are the only packages that are imported by %s', (_what, pattern, packages) => {
  expect(globSync(pattern, { cwd: DIST })).not.toEqual([]);
  expect(importedPackages(pattern)).toEqual(packages);
});
