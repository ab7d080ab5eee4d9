import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Change, Level } from './level.ts';

// Requests go from the app to the service, responses from the service to the app. Each test is a line of its own,
// so that the line of an error names it.
const PREAMBLE = `
type Body<R, Status> = R extends { status: Status; body: infer B } ? B : never;
type Statuses<R> = R extends { status: infer S } ? S : never;
type SuccessStatus<S> = S extends number ? (\`\${S}\` extends \`2\${string}\` | \`3\${string}\` ? S : never) : never;
`;

/** The types of requests that the generated module exports; the name of an operation's query ends in Query. */
const requestTypes = /^export (?:interface|type) (NewPet|PetId|\w+Query)\b/gm;
const operationNames = /^export interface Responses \{\n([\s\S]*?)^\}/m;

/**
 * Compiles an app of the last release against the types of this one, and the reverse.
 *
 * @param before the declarations of the last release: the generated `contract.ts` of the client, which imports
 *   nothing
 * @param after those of this release
 * @returns a major change where the old app does not compile, a minor one where only the new app does not
 */
export function compareTypes(before: string, after: string): Change[] {
  const forward = compile(before, after, 'major');
  const backward = compile(after, before, 'minor');
  // Where both directions fail, the first already says that it breaks.
  const broken = new Set(forward.map(({ where }) => where));
  return [...forward, ...backward.filter(({ where }) => !broken.has(where))];
}

/** One test on each line: an app written for `Old` must compile against `New`. */
function testsOf(text: string): { where: string; line: string }[] {
  const requests = Array.from(text.matchAll(requestTypes), ([, name = '']) => ({
    where: `the type ${name}`,
    line: `export const request${name} = (sent: Old.${name}): New.${name} => sent;`,
  }));
  const [, members = ''] = operationNames.exec(text) ?? [];
  const operations = Array.from(members.matchAll(/^ {2}(\w+):/gm), ([, name = '']) => name);
  const responses = operations.map((name) => {
    const [old, now] = [`Old.Responses['${name}']`, `New.Responses['${name}']`];
    const status = `SuccessStatus<Statuses<${now}>>`;
    return {
      where: `the responses of ${name}`,
      line: `export const response${name} = (status: ${status}, body: Body<${now}, typeof status>): [SuccessStatus<Statuses<${old}>>, Body<${old}, SuccessStatus<Statuses<${old}>>>] => [status, body];`,
    };
  });
  return [...requests, ...responses];
}

/** Compiles what is written for one release against the types of another. */
function compile(old: string, now: string, level: Level): Change[] {
  const tests = testsOf(old);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-types-'));
  try {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const header = `import type * as Old from './old.ts';\nimport type * as New from './new.ts';\n${PREAMBLE}`;
    const options = {
      extends: fileURLToPath(new URL('../../tsconfig.base.json', import.meta.url)),
      compilerOptions: { noEmit: true, types: [], lib: ['es2024', 'dom'] },
      files: ['test.ts'],
    };
    write('package.json', '{"type":"module"}');
    write('tsconfig.json', JSON.stringify(options));
    write('old.ts', old);
    write('new.ts', now);
    write('test.ts', `${header}${tests.map(({ line }) => `${line}\n`).join('')}`);
    const firstLine = header.split('\n').length;
    return errorsOf(folder).map(({ line, message }) => {
      const test = tests[line - firstLine];
      if (test === undefined) throw new Error(`The test of the types does not compile: ${message}`);
      const app = level === 'major' ? 'an app of the last release' : 'only an app of this release';
      const verb = level === 'major' ? 'does not compile' : 'compiles with it';
      const reason = message.replaceAll(/import\("[^"]*"\)\./g, '');
      return { level, where: test.where, what: `${app} ${verb}: ${reason}` };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function errorsOf(folder: string): { line: number; message: string }[] {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  try {
    execFileSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    return [];
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    const errors = Array.from(
      output.matchAll(/test\.ts\((\d+),\d+\): error TS\d+: (.*)/g),
      ([, line, message = '']) => ({
        line: Number(line),
        message,
      }),
    );
    if (errors.length === 0) throw new Error(`The compiler failed: ${output}`);
    return errors;
  }
}
