import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';

/** A `ts` block of a Markdown file. */
export interface Snippet {
  /** File and line, such as `README.md:12`. */
  name: string;
  code: string;
  /** The lines that it says it prints: one for each `console.log(…); // …`. */
  prints: string[];
}

const BLOCK = /^```ts\n(.*?)^```$/gms;
const PRINTED = /console\.log\(.*\)[;,] \/\/ (.*)$/gm;

const PREAMBLE = `import { createPetStore } from '@petstore/client';
const store = createPetStore({ baseUrl: 'http://localhost:3000/v1', apiKey: 'pst_…' });
`;

/** Reads the snippets of a Markdown file. A snippet without a store of its own gets that of the first snippet. */
export async function readSnippets(markdown: URL): Promise<Snippet[]> {
  const text = await readFile(markdown, 'utf8');
  return Array.from(text.matchAll(BLOCK), ({ index, 1: source = '' }) => ({
    name: `${basename(markdown.pathname)}:${text.slice(0, index).split('\n').length}`,
    code: /\bstore\b/.test(source) && !source.includes('const store') ? PREAMBLE + source : source,
    prints: Array.from(source.matchAll(PRINTED), ([, printed = '']) => printed),
  }));
}

/** Within this package, so that snippets can import the package by its name, and ignored by Git. */
const REPORTS = fileURLToPath(new URL('../../reports', import.meta.url));

/** Type-checks snippets as a user's project would. Returns the messages of the compiler. */
export async function compileSnippets(snippets: readonly Snippet[]): Promise<string> {
  await using folder = await temporaryFolder(REPORTS);
  for (const { name, code } of snippets) await writeFile(folder.file(fileName(name)), `${code}export {};\n`);
  const config = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: { noEmit: true },
    include: ['.'],
  };
  await writeFile(folder.file('tsconfig.json'), JSON.stringify(config));
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    'package.json',
    'bin/tsc',
  );
  return (await startProgram([compiler, '-p', folder.path]).ended).stdout;
}

/** Runs a snippet against a service. Returns the lines that it printed. */
export async function runSnippet(
  { name, code }: Snippet,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
) {
  await using folder = await temporaryFolder(REPORTS);
  const file = folder.file(fileName(name));
  const { origin } = new URL(baseUrl);
  await writeFile(file, code.replaceAll('http://localhost:3000', origin).replaceAll('pst_…', apiKey));
  const { code: exitCode, stdout, stderr } = await startProgram([file]).ended;
  return { lines: (stdout + stderr).split('\n'), exitCode };
}

const fileName = (name: string) => `${name.replace(':', '-')}.ts`;
