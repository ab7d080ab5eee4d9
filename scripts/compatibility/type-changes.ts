import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Change, Level } from './changes.ts';

/**
 * Compares the types of two releases as an app sees them: one that was written for the types of the last release
 * has to compile with those of this one.
 *
 * @param released the module of types that the client generates, of the last release; it imports nothing
 * @param current that of this release
 * @returns a major change for each type with which the old app does not compile, and a minor one for each with
 *   which only a new app compiles
 */
export function compareTypes(released: string, current: string): Change[] {
  const breaking = compileApp({ writtenFor: released, compiledWith: current, level: 'major' });
  const additions = compileApp({ writtenFor: current, compiledWith: released, level: 'minor' });
  const broken = new Set(breaking.map(({ where }) => where));
  return [...breaking, ...additions.filter(({ where }) => !broken.has(where))];
}

/** Compiles an app that uses each type, and returns a change for each use that does not compile. */
function compileApp(app: { writtenFor: string; compiledWith: string; level: Level }): Change[] {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-types-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    write('package.json', '{"type":"module"}');
    write('tsconfig.json', JSON.stringify(TSCONFIG));
    write('old.ts', app.writtenFor);
    write('new.ts', app.compiledWith);
    for (const [name, use] of usesOf(app.writtenFor)) write(`use-${name}.ts`, `${IMPORTS}${use}\n`);
    const failure = app.level === 'major' ? 'apps no longer compile' : 'new apps can do more';
    return compilerErrors(folder).map(({ name, reason }) => ({
      level: app.level,
      what: `${failure}: ${reason}`,
      where: `the type of ${name}`,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const TSCONFIG = {
  extends: fileURLToPath(new URL('../../tsconfig.base.json', import.meta.url)),
  compilerOptions: { noEmit: true, types: [], lib: ['es2024', 'dom'] },
};

/** What the app was written for, and what it is compiled with. */
const IMPORTS = `import type * as Old from './old.ts';\nimport type * as New from './new.ts';\n`;

/**
 * A line of an app for each type. It sends requests, so what it has must be assignable to what the package takes.
 * The app receives responses, so what the package returns must be assignable to what the app expects.
 */
function usesOf(types: string): [name: string, use: string][] {
  const requests = Array.from(types.matchAll(/^export (?:interface|type) (New\w+|\w+Id|\w+Query)\b/gm));
  const [, responses = ''] = /^export interface Responses \{\n(.*?)^\}/ms.exec(types) ?? [];
  const operations = Array.from(responses.matchAll(/^ {2}(\w+):/gm));
  if (requests.length === 0 || operations.length === 0)
    throw new Error('The module of types has another form');
  return [
    ...requests.map(([, name = '']): [string, string] => [
      name,
      `export const send = (request: Old.${name}): New.${name} => request;`,
    ]),
    ...operations.map(([, name = '']): [string, string] => {
      const body = `Responses['${name}']['body']`;
      return [name, `export const receive = (body: New.${body}): Old.${body} => body;`];
    }),
  ];
}

/** Runs the compiler. The file of an error names the type, and its last line the innermost reason. */
function compilerErrors(folder: string): { name: string; reason: string }[] {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false'], options);
  const errors = Array.from(
    stdout.matchAll(/^use-(\w+)\.ts\(.*: error TS\d+: (.*(?:\n +.*)*)/gm),
    ([, name = '', lines = '']) => ({
      name,
      reason: lines.slice(lines.lastIndexOf('\n') + 1).replaceAll(/^ +|import\("[^"]*"\)\./g, ''),
    }),
  );
  if (status !== 0 && errors.length === 0) throw new Error(`The types do not compile: ${stdout}`);
  return errors;
}
