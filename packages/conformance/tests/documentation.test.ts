import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { codeBlocks } from '@petstore/test-support/readme';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { API_KEY, createReferenceServer, runCommand } from './support.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${PACKAGE}/README.md`, 'utf8');

test('the snippet of the README runs without a failed check', async () => {
  await using deployment = await serveFetch(createReferenceServer());
  const [{ code: snippet } = { code: '' }] = codeBlocks(readme, 'ts');
  // The snippet calls the `test` of vitest. This function replaces it and runs the check at once.
  const code = `const test = async (name: string, run: (context: object) => Promise<unknown>) =>
  // The other tests run all checks.
  name.includes('listPets') && run({});
${snippet
  .replace("import { test } from 'vitest';\n", '')
  .replace('test(check.name', 'await test(check.name')
  .replace('http://127.0.0.1:3000/v1', deployment.baseUrl)
  .replace('pst_…', API_KEY)}`;
  // In the package, whose name the snippet imports.
  await using folder = await temporaryFolder(`${PACKAGE}/reports`);
  writeFileSync(folder.file('snippet.ts'), code);
  expect(await startProgram([folder.file('snippet.ts')]).ended).toMatchObject({ code: 0, stderr: '' });
});

test('the README names every option of the command', async () => {
  const { stdout } = await runCommand(['--help']);
  const options = new Set(stdout.match(/--[\w-]+/g));
  for (const option of options) if (option !== '--help') expect(readme).toContain(`\`${option}`);
});

test('the report in the README has the number of checks that the command lists', async () => {
  const { lines } = await runCommand(['--list']);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed/m.exec(readme) ?? [];
  expect(Number(passed) + Number(failed)).toBe(lines.length);
});

const Action = z.object({
  inputs: z.record(
    z.string(),
    z.object({ default: z.string().optional(), required: z.boolean().optional() }),
  ),
  runs: z.object({ steps: z.tuple([z.object({ env: z.record(z.string(), z.string()), run: z.string() })]) }),
});
const { inputs, runs } = Action.parse(parse(readFileSync(`${PACKAGE}/action.yml`, 'utf8')));
const [{ env, run }] = runs.steps;

/** Replaces Docker, which may not be installed. Prints one argument per line, and fails as a failed check does. */
const DOCKER = '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 1\n';

test('the action of the README runs the image of its version with the key in a variable', async () => {
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8'));
  const [{ code: snippet } = { code: '' }] = codeBlocks(readme, 'yaml');
  const [step] = z.tuple([z.object({ with: z.record(z.string(), z.coerce.string()) })]).parse(parse(snippet));
  const other = {
    'read-only': 'true',
    skip: 'two words\nmore\n',
    only: 'one',
    'known-failures': 'known.txt',
  };
  const given: Record<string, string> = { ...step.with, ...other };
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  // The script reads inputs from variables. Text that is inserted into the script could run as a command.
  expect(run).not.toContain('${{');
  const variables = Object.entries(env).map(([name, template]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(template) ?? [];
    return [name, given[input] ?? inputs[input]?.default ?? ''];
  });
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('docker'), DOCKER, { mode: 0o755 });
  const PATH = `${folder.path}:${process.env.PATH}`;
  const summary = folder.file('summary.md');
  const child = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    cwd: folder.path,
    env: {
      PATH,
      GITHUB_ACTION_PATH: PACKAGE,
      GITHUB_STEP_SUMMARY: summary,
      ...Object.fromEntries(variables),
    },
    encoding: 'utf8',
  });
  const image = `ghcr.io/petstore/petstore-conformance:${version}\n`;
  const [docker = '', options = ''] = child.stdout.split(image);
  expect(docker).toContain('--env\nPETSTORE_API_KEY\n');
  expect(docker).toContain(`--volume\n${folder.path}:/workspace\n--workdir\n/workspace\n`);
  expect(docker).toContain(`--volume\n${summary}:/summary.md\n--env\nGITHUB_STEP_SUMMARY=/summary.md\n`);
  expect(options.trimEnd().split('\n')).toEqual([
    ...['--base-url', 'https://staging.example/v1', '--profile', 'interface', '--reporter', 'github'],
    ...['--read-only', '--only', 'one', '--skip', 'two words', '--skip', 'more'],
    ...['--known-failures', 'known.txt', '--wait', '60', '--junit', 'conformance.xml'],
  ]);
  expect(child.status).toBe(1);
});
