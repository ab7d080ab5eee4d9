import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { expect, test } from 'vitest';
import { defaultLimits } from '../src/call-options.ts';
import { serveMemory } from './support/serve-memory.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** This folder is within the package, so that snippets can import the package by its name. Git ignores it. */
const REPORTS = fileURLToPath(new URL('../reports', import.meta.url));

/** Snippets without a store get the store of the first snippet. */
const PREAMBLE = `import { createPetStore } from '@petstore/client';
const store = createPetStore({ baseUrl: 'http://localhost:3000/v1', apiKey: 'pst_…' });
`;

const snippets = Array.from(README.matchAll(/^```ts\n(.*?)^```$/gms), ({ index, 1: source = '' }) => ({
  line: README.slice(0, index).split('\n').length,
  code: /\bstore\b/.test(source) && !source.includes('const store') ? PREAMBLE + source : source,
  /** The lines that the snippet should print: the comment of each `console.log(…); // …`. */
  prints: Array.from(source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, printed = '']) => printed),
}));

test('every snippet of the README compiles', async () => {
  expect(snippets.length).toBeGreaterThan(9);
  await using folder = await temporaryFolder(REPORTS);
  for (const { line, code } of snippets) await writeFile(folder.file(`${line}.ts`), `${code}export {};\n`);
  const config = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: { noEmit: true },
    include: ['.'],
  };
  await writeFile(folder.file('tsconfig.json'), JSON.stringify(config));
  const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
  expect((await startProgram([compiler, '-p', folder.path]).ended).stdout).toBe('');
});

// The snippets run one after another, so that the service in this process responds before their timeouts.
test.each(snippets)(
  'the snippet in line $line of the README prints the lines of its comments',
  async (snippet) => {
    await using service = await serveMemory();
    await using folder = await temporaryFolder(REPORTS);
    const code = snippet.code
      .replaceAll('http://localhost:3000', service.origin)
      .replaceAll('pst_…', service.memory.apiKey);
    await writeFile(folder.file('snippet.ts'), code);
    const { code: exitCode, stdout, stderr } = await startProgram([folder.file('snippet.ts')]).ended;
    expect({ stdout, stderr, exitCode }).toMatchObject({ exitCode: 0 });
    const lines = (stdout + stderr).split('\n');
    expect(lines.filter((line) => snippet.prints.includes(line))).toEqual(snippet.prints);
  },
);

test('the table of options has the defaults of the code', () => {
  const rows = README.matchAll(/^\| `(\w+)` +\| `([\d_]+)` +\|/gm);
  const documented = Array.from(rows, ([, name, value = '']) => [name, Number(value.replaceAll('_', ''))]);
  expect(Object.fromEntries(documented)).toEqual(defaultLimits);
});
