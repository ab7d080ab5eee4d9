import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

/** The packages that a built module and the modules behind it import: each name after `from` or `import`. */
function importedPackages(entry: string): string[] {
  const imported = new Set([new URL(`../${entry}`, import.meta.url).href]);
  // The loop also visits the modules that it adds. The declarations of `./a.ts` are in `./a.d.ts`.
  for (const url of imported) {
    const source = url.startsWith('file:') ? readFileSync(new URL(url), 'utf8') : '';
    for (const [, name = ''] of source.matchAll(/(?:\bfrom|\bimport)[\s(]*["']([^"']+)["']/g))
      imported.add(name.startsWith('.') ? new URL(name.replace(/\.ts$/, '.d.ts'), url).href : name);
  }
  return [...imported].filter((name) => !name.startsWith('file:')).toSorted();
}

test('each entry needs only these peers, and its declarations need no package', () => {
  const entries = Object.entries(manifest.exports);
  const needs = (kind: 'default' | 'types') =>
    Object.fromEntries(entries.map(([name, entry]) => [name, importedPackages(entry[kind])]));
  const testing = ['@petstore/contract', '@petstore/contract/openapi.json'];
  expect(needs('default')).toEqual({ '.': [], './testing': testing, './node': ['undici'], './ts-rest': [] });
  expect(needs('types')).toEqual({ '.': [], './testing': [], './node': [], './ts-rest': [] });
});
