import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = `${import.meta.dirname}/..`;
const SERVER = `${ROOT}/apps/server/src/`;

/** The table of docs/architecture.md: each folder of the server, from top to bottom, and the folders that it imports. */
const table = new Map(
  Array.from(
    readFileSync(`${ROOT}/docs/architecture.md`, 'utf8').matchAll(/^\| `(\w+)\/`.*\|([`\w ]*)\|$/gm),
    ([, folder = '', imports = '']): [string, string[]] => [folder, imports.match(/\w+/g) ?? []],
  ),
);

/** The folder that the table has for a folder: `pets` for each resource, otherwise the folder itself. */
const rowOf = (folder: string) =>
  globSync(`${folder}/handlers-*.ts`, { cwd: SERVER }).length > 0 ? 'pets' : folder;

const importsOf = (folder: string) => table.get(rowOf(folder)) ?? [];

/** The folders and files that may know HTTP, and the modules that no other file may import. */
const HTTP_FOLDERS = ['commands', 'service', 'http'];
const HTTP_FILE = /^(handlers-|authenticate|limit-rate)/;
const HTTP_MODULE = /^(express$|@ts-rest\/|(\.\.\/)+http\/)/;

/**
 * Finds the imports that the layers do not allow.
 * @param file its path in apps/server/src
 */
function findWrongImports(file: string, source: string): string[] {
  const folder = folderOf(file);
  const knowsHttp = HTTP_FOLDERS.includes(folder) || HTTP_FILE.test(posix.basename(file));
  const isAllowed = (specifier: string) => {
    if (HTTP_MODULE.test(specifier) && !knowsHttp) return false;
    if (!/^\..*\.ts$/.test(specifier)) return true;
    const target = folderOf(posix.join(posix.dirname(file), specifier));
    return target === folder || importsOf(folder).includes(rowOf(target));
  };
  const imports = source.matchAll(/(?:from |import\(|URL\()'([^']+)'/g);
  return Array.from(imports, ([, name = '']) => name).filter((specifier) => !isAllowed(specifier));
}

const folderOf = (file: string) => file.split('/', 1)[0] ?? '';

const sources = globSync('*/**/*.ts', { cwd: SERVER })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, source: readFileSync(SERVER + file, 'utf8') }));

test('each file of the server imports only folders that the table of docs/architecture.md allows', () => {
  const wrong = sources.flatMap(({ file, source }) =>
    findWrongImports(file, source).map((specifier) => `${file} imports ${specifier}`),
  );
  expect(wrong).toEqual([]);
});

test('the table has each folder of the server, and each imports only folders below it', () => {
  const folders = [...table.keys()];
  expect(new Set(folders)).toEqual(new Set(sources.map(({ file }) => rowOf(folderOf(file)))));
  for (const [index, folder] of folders.entries())
    expect(folders.slice(index + 1)).toEqual(expect.arrayContaining(importsOf(folder)));
});

test.each([
  ['pets/repository.ts', '../http/urls.ts'],
  ['pets/handlers-v1.ts', '../telemetry/log.ts'],
  ['keys/key-ring.ts', 'express'],
  ['database/sqlite/database.ts', '../../pets/repository.ts'],
])('the layers refuse that %s imports %s', (file, specifier) => {
  for (const source of [`import { a } from '${specifier}'`, `await import('${specifier}')`])
    expect(findWrongImports(file, source)).toEqual([specifier]);
});

test.each(['http', 'telemetry'])('the code of %s/, which any service could use, names no pet', (folder) => {
  const general = sources.filter(({ file }) => folderOf(file) === folder);
  expect(general).not.toEqual([]);
  const withoutComments = (source: string) => source.replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '');
  const naming = general.filter(({ source }) => /\bpets?\b/i.test(withoutComments(source)));
  expect(naming.map(({ file }) => file)).toEqual([]);
});
