import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@petstore/contract/openapi';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { codeBlocks, withStore } from '@petstore/test-support/readme';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { defaultLimits } from '../src/call-options.ts';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';

const read = (page: string) => readFileSync(new URL(page, import.meta.url), 'utf8');
const README = read('../README.md');

/** This folder is within the package, so that snippets can import the package by its name. Git ignores it. */
const REPORTS = fileURLToPath(new URL('../reports', import.meta.url));

/** The snippets of this README, and last the one of the root README. */
const snippets = [README, read('../../../README.md')]
  .flatMap((page) => codeBlocks(page, 'ts'))
  .map(({ code: source, line }, index) => ({
    // Two pages may have a snippet at the same line.
    name: `${index}-line-${line}`,
    code: withStore(source),
    /** The lines that the snippet should print: the comment of each `console.log(…); // …`. */
    prints: Array.from(source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, printed = '']) => printed),
  }));

/** Every schema of the contract. A body called Error would hide JavaScript's. */
const types = Object.keys(openApiDocument().components?.schemas ?? {}).map((name) =>
  name === 'Error' ? 'ErrorBody' : name,
);

test('every snippet of both READMEs compiles, and an import of the type of each schema', async () => {
  expect(snippets).not.toEqual([]);
  await using folder = await temporaryFolder(REPORTS);
  await writeFile(folder.file('types.ts'), `export type { ${types.join(', ')} } from '@petstore/client';`);
  for (const { name, code } of snippets) await writeFile(folder.file(`${name}.ts`), `${code}export {};\n`);
  const compilerOptions = { noEmit: true };
  const config = { extends: '../../../../tsconfig.base.json', compilerOptions, include: ['.'] };
  await writeFile(folder.file('tsconfig.json'), JSON.stringify(config));
  const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
  expect(await startProgram([compiler, '-p', folder.path]).ended).toMatchObject({ code: 0, stdout: '' });
});

test('the snippets of both READMEs print the lines of their comments', async () => {
  await using folder = await temporaryFolder(REPORTS);
  await using services = new AsyncDisposableStack();
  const main: string[] = [];
  for (const { name, code } of snippets) {
    const memory = createMemoryPetStore();
    const { origin } = services.use(await serveFetch(memory.fetch));
    const own = code
      .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):3000/g, origin)
      .replaceAll('pst_…', memory.apiKey);
    await writeFile(folder.file(`${name}.ts`), own);
    main.push(`console.log('snippet ${name}:');`, `await import('./${name}.ts');`);
  }
  await writeFile(folder.file('main.ts'), [...main, 'process.exit();'].join('\n'));
  const environment = { API_KEY: createMemoryPetStore().apiKey }; // Each memory store has this key.
  const { code, stdout, stderr } = await startProgram([folder.file('main.ts')], { environment }).ended;
  expect(code, stderr).toBe(0);
  const outputs = stdout.split(/^snippet .*:\n/m).slice(1);
  for (const [index, { prints, name }] of snippets.entries()) {
    const printed = outputs[index]?.split('\n').filter((text) => prints.includes(text));
    expect(printed, name).toEqual(prints);
  }
  expect(outputs.at(-1)).toBe('added Ñandú\navailable: Ñandú\n');
});

test('the table of options has the defaults of the code', () => {
  const rows = README.matchAll(/^\| `(\w+)` +\| `([\d_]+)` +\|/gm);
  const documented = Array.from(rows, ([, name, value = '']) => [name, Number(value.replaceAll('_', ''))]);
  expect(Object.fromEntries(documented)).toEqual(defaultLimits);
});
