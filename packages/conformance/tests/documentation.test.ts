import { readFileSync } from 'node:fs';
import { startProgram } from '@petstore/test-support/programs';
import { codeBlocks } from '@petstore/test-support/readme';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { API_KEY, createReferenceServer, runCommand } from './support.ts';

const PACKAGE = `${import.meta.dirname}/..`;
const readme = readFileSync(`${PACKAGE}/README.md`, 'utf8');

test('the snippet of the README runs without a failed check', async () => {
  await using deployment = await serveFetch(createReferenceServer());
  const [{ code: snippet } = { code: '' }] = codeBlocks(readme, 'ts');
  // This `test` replaces vitest's. It runs a check at once, but only checks of listPets: other tests run all checks.
  const code = `const test = async (name: string, run: (context: object) => Promise<unknown>) =>
  name.includes('listPets') && run({}).then(() => console.log(name));
${snippet
  .replace("import { test } from 'vitest';\n", '')
  .replace('test(`', 'await test(`')
  .replace('http://127.0.0.1:3000/v1', deployment.baseUrl)
  .replace('pst_…', API_KEY)}`;
  // In its folder, a package can import itself by its name.
  const { ended } = startProgram(['--input-type=module-typescript'], { cwd: PACKAGE, input: code });
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('listPets'), stderr: '' });
});

test('the command accepts the options of each command of the README', async () => {
  const commands = Array.from(readme.matchAll(/npx @petstore\/conformance (--.+)/g), ([, args = '']) => args);
  expect(commands).not.toEqual([]);
  for (const args of commands)
    expect(await runCommand([...args.split(' '), '--list'])).toMatchObject({ code: 0, stderr: '' });
});

test('the README names every option of the command, with its default in seconds', async () => {
  const { stdout } = await runCommand(['--help']);
  const options = new Set(stdout.match(/--[\w-]+/g));
  for (const option of options) if (option !== '--help') expect(readme).toContain(`\`${option}`);
  const defaults = [...stdout.matchAll(/(--[\w-]+ <seconds>).*?\(default:\s+(\d+)\)/gs)];
  expect(defaults.length).toBeGreaterThan(1);
  for (const [, option, value] of defaults) expect(readme).toMatch(new RegExp(`${option}.* \\(${value}\\)`));
});

test('the README shows titles that the command lists', async () => {
  const { lines } = await runCommand(['--list']);
  const titles = readme.matchAll(/^(?:ok {3}|FAIL )?(\S.* \((?:interface|decision): .+?\))(?=:|$)/gm);
  const [passing, failing, knownFailure] = Array.from(titles, ([, title]) => title);
  for (const title of [passing, failing, knownFailure]) expect(lines).toContain(title);
});
