import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the first snippet of the README prints what it says', () => {
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(read('../README.md')) ?? [];
  const expected = Array.from(code.matchAll(/\/\/ (.*)$/gm), ([, printed]) => printed);
  expect(expected).not.toEqual([]);
  // In its folder, a package can import itself by its name.
  const options = { cwd: `${import.meta.dirname}/..`, input: code };
  const output = execFileSync(process.execPath, ['--input-type=module-typescript'], options);
  expect(`${output}`.trimEnd().split('\n')).toEqual(expected);
});

test('the README names each entry of the package', () => {
  const readme = read('../README.md');
  const { exports } = JSON.parse(read('../package.json'));
  for (const entry of Object.keys(exports)) expect(readme).toContain(`| \`${entry.replace(/^\.\//, '/')}\``);
});

test('NewPet adds less than 30 kB to an app, minified and gzipped, as the README says', async () => {
  const contents = "import { NewPet } from '@petstore/contract'; console.log(NewPet.safeParse({}));";
  const stdin = { contents, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
  const code = outputFiles[0]?.text ?? '';
  expect(read('../README.md')).toContain('less than 30 kB');
  expect(code, 'has the messages of the schema').toContain('is required');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(30_000);
});
