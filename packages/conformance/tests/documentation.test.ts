import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@petstore/test-support/files';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { lacksHeader } from './defects.ts';
import { API_KEY, COMMAND, createReferenceServer, runCommand, UNKNOWN_METHOD } from './support.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${PACKAGE}/README.md`, 'utf8');

test('the snippet of the README runs without a failed check', async () => {
  await using deployment = await serveFetch(createReferenceServer());
  const [, snippet = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  // The test of the snippet is any function that takes a name and a function.
  const code = `const test = async (name: string, run: () => Promise<unknown>) =>
  name === '${UNKNOWN_METHOD}' || run();
${snippet
  .replace("import { test } from 'vitest';\n", '')
  .replace('test(check.name', 'await test(check.name')
  .replace('http://127.0.0.1:3000/v1', deployment.baseUrl)
  .replace('pst_…', API_KEY)}`;
  const file = `${PACKAGE}/readme-snippet-${process.pid}.ts`;
  writeFileSync(file, code);
  try {
    await promisify(execFile)(process.execPath, [file]);
  } finally {
    rmSync(file);
  }
});

test('the README names files that exist, and every option of the command', async () => {
  const files = Array.from(readme.matchAll(/`((?:src|tests)\/[\w/.-]+)`/g), ([, file = '']) => file);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(existsSync(`${PACKAGE}/${file}`), file).toBe(true);
  const { stdout } = await runCommand(['--help']);
  const options = new Set(stdout.match(/--[\w-]+/g));
  for (const option of options) if (option !== '--help') expect(readme).toContain(`\`${option}`);
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

/**
 * Takes the place of Docker, which no test can count on: runs the command with the arguments that follow the image, and
 * with the variables alone that the container would get.
 */
const docker = `#!${process.execPath}
const [subcommand, ...args] = process.argv.slice(2);
const image = args.findIndex((arg) => arg.includes('petstore-conformance'));
const names = args.slice(0, image).filter((_arg, index) => args[index - 1] === '--env');
const env = Object.fromEntries(names.map((name) => [name, process.env[name]]));
console.log(subcommand, args[image], names.join());
const { status } = require('node:child_process').spawnSync(
  process.execPath, [${JSON.stringify(COMMAND)}, ...args.slice(image + 1)], { env, stdio: 'inherit' });
process.exitCode = status;
`;

test('the action of the README runs the image of its version with the key in a variable', async () => {
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8'));
  const [, snippet = ''] = /^```yaml\n(.*?)^```$/ms.exec(readme) ?? [];
  const [step] = z.tuple([z.object({ with: z.record(z.string(), z.string()) })]).parse(parse(snippet));
  await using deployment = await serveFetch(lacksHeader('Sunset')(createReferenceServer()));
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('docker'), docker, { mode: 0o755 });
  const given: Record<string, string> = {
    ...step.with,
    'base-url': deployment.baseUrl,
    'api-key': API_KEY,
    profile: 'full',
    'read-only': 'true',
    skip: UNKNOWN_METHOD,
  };
  for (const name of Object.keys(given)) expect(inputs).toHaveProperty(name);
  // Each input comes by a variable: in the script itself, a text from elsewhere could become a command.
  expect(run).not.toContain('${{');
  const variables = Object.entries(env).map(([name, template]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(template) ?? [];
    return [name, given[input] ?? inputs[input]?.default ?? ''];
  });
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    env: {
      PATH: `${folder.path}:${process.env.PATH}`,
      GITHUB_ACTION_PATH: PACKAGE,
      ...Object.fromEntries(variables),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe(`run ghcr.io/petstore/petstore-conformance:${version} PETSTORE_API_KEY`);
  expect(lines.filter((line) => line.startsWith('::error title=expected Sunset'))).toHaveLength(1);
  expect(stdout).not.toContain('createPet returns 201');
  expect(stdout).toMatch(/^\d+ passed, 2 failed \(1 finding\)$/m);
  expect(code).toBe(1);
});
