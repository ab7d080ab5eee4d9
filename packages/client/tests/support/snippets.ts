import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** A folder within this package, so that snippets can import the package by its name. */
async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const reports = fileURLToPath(new URL('../../reports/', import.meta.url));
  await mkdir(reports, { recursive: true });
  const path = await mkdtemp(join(reports, 'snippets-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Type-checks snippets as a user's project would. Returns the messages of the compiler. */
export async function compileSnippets(snippets: readonly Snippet[]): Promise<string> {
  await using folder = await temporaryFolder();
  for (const { name, code } of snippets)
    await writeFile(join(folder.path, fileName(name)), `${code}export {};\n`);
  const config = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: { noEmit: true },
    include: ['.'],
  };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    'package.json',
    'bin/tsc',
  );
  return (await run([compiler, '-p', folder.path])).output;
}

/** Runs a snippet against a service. Returns the lines that it printed. */
export async function runSnippet(
  { name, code }: Snippet,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
) {
  await using folder = await temporaryFolder();
  const file = join(folder.path, fileName(name));
  const { origin } = new URL(baseUrl);
  await writeFile(file, code.replaceAll('http://localhost:3000', origin).replaceAll('pst_…', apiKey));
  const { output, exitCode } = await run([file]);
  return { lines: output.split('\n'), exitCode };
}

const fileName = (name: string) => `${name.replace(':', '-')}.ts`;

function run(args: string[]): Promise<{ output: string; exitCode: number | string | null | undefined }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ output: stdout + stderr, exitCode: error ? error.code : 0 });
    });
  });
}
