import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const DIST = new URL('../dist/', import.meta.url);

/** The packages that a built module imports, itself or through modules beside it. */
function importedPackages(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const source = readFileSync(new URL(path, DIST), 'utf8');
  const specifiers = Array.from(
    source.matchAll(/(?:\bfrom|\bimport)[\s(]*["'](.+?)["']/g),
    ([, name = '']) => name,
  );
  const packages = specifiers.flatMap((specifier) => {
    if (!specifier.startsWith('.')) return [specifier];
    const target = new URL(specifier, new URL(path, DIST)).href.slice(DIST.href.length);
    return importedPackages(path.endsWith('.d.ts') ? target.replace(/\.[jt]s$/, '.d.ts') : target, seen);
  });
  return [...new Set(packages)];
}

const CONTRACT = ['@petstore/contract', '@petstore/contract/openapi.json'];

describe.each([
  { entry: 'index', runtime: [], types: [] },
  { entry: 'integrations/ts-rest', runtime: [], types: [] },
  { entry: 'testing/memory-pet-store', runtime: CONTRACT, types: [] },
  { entry: 'integrations/node', runtime: ['undici'], types: [] },
  { entry: 'integrations/msw', runtime: ['msw'], types: ['msw'] },
])('the entry $entry', ({ entry, runtime, types }) => {
  test('imports only its documented peers', () => {
    expect(importedPackages(`${entry}.js`).toSorted()).toEqual(runtime);
  });

  test('has declarations that import only its documented peers', () => {
    expect(importedPackages(`${entry}.d.ts`).toSorted()).toEqual(types);
  });
});

test.each(['index', 'integrations/ts-rest'])(
  'the entry %s for production in browsers imports nothing',
  (entry) => {
    expect(importedPackages(`production/${entry}.js`)).toEqual([]);
  },
);

test('the package has no dependencies', () => {
  const manifest: object = JSON.parse(readFileSync(new URL('../package.json', DIST), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
});
