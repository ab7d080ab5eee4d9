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

describe.each([
  { entry: 'index', packages: [] },
  { entry: 'ts-rest', packages: [] },
  { entry: 'validate', packages: ['@petstore/contract'] },
  { entry: 'testing/index', packages: ['@petstore/contract', '@petstore/contract/openapi.json'] },
])('the entry $entry', ({ entry, packages }) => {
  test('imports at run time no more than its documented peers', () => {
    expect(importedPackages(`${entry}.js`).toSorted()).toEqual(packages);
  });

  test('has declarations that import no more than its documented peers', () => {
    for (const name of importedPackages(`${entry}.d.ts`)) expect(packages).toContain(name);
  });
});

test('the package has no dependencies', () => {
  const manifest: object = JSON.parse(readFileSync(new URL('../package.json', DIST), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
});
