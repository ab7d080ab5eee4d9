import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { API_KEY, createReferenceServer } from './reference.ts';

const run = promisify(execFile);

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const snippets = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code);

// Node's HTTP server refuses an unknown method itself, before the reference sees it.
const UNKNOWN_METHOD = 'A valid method that no service knows returns 501';

test('the snippets of the README run without a failed check', async () => {
  expect(snippets).toHaveLength(2);
  await using deployment = await serveFetch(createReferenceServer());
  const [inATestSuite = '', withoutOne = ''] = snippets;
  // The snippets share a target; the test of the first one is any function that takes a name and a function.
  const code = [
    `const test = async (name: string, run: () => Promise<void>) => name === '${UNKNOWN_METHOD}' || run();`,
    inATestSuite
      .replace("import { test } from 'vitest';\n", '')
      .replaceAll('test(check.name', 'await test(check.name'),
    withoutOne,
  ]
    .join('\n')
    .replace('http://127.0.0.1:3000/v1', deployment.baseUrl)
    .replace('pst_…', API_KEY);
  const file = fileURLToPath(new URL(`../readme-snippet-${process.pid}.ts`, import.meta.url));
  writeFileSync(file, code);
  try {
    await run(process.execPath, [file]);
  } finally {
    rmSync(file);
  }
});

test('the README names files that exist', () => {
  const files = Array.from(readme.matchAll(/`((?:src|tests)\/[\w/.-]+)`/g), ([, file = '']) => file);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
});

test('the README names every option of the command', async () => {
  const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [cli, '--help']);
  const options = Array.from(stdout.matchAll(/--[\w-]+/g), ([option]) => option);
  for (const option of new Set(options)) {
    if (option !== '--help') expect(readme).toContain(`\`${option}`);
  }
});
