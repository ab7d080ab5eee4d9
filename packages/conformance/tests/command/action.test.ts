import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Fetch } from '../../src/target.ts';
import { changesHeader } from '../defects/defect.ts';
import { API_KEY, createReferenceServer, READ_API_KEY } from '../reference.ts';
import { COMMAND, UNKNOWN_METHOD } from './run-command.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

const Action = z.object({
  inputs: z.record(
    z.string(),
    z.object({ default: z.string().optional(), required: z.boolean().optional() }),
  ),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.tuple([
      z.object({ shell: z.literal('bash'), env: z.record(z.string(), z.string()), run: z.string() }),
    ]),
  }),
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

/** Runs the step of the action, as a runner does, against a served `fetch`. */
async function runAction(fetch: Fetch, given: Record<string, string>) {
  await using deployment = await serveFetch(fetch);
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('docker'), docker, { mode: 0o755 });
  const values: Record<string, string> = { 'base-url': deployment.baseUrl, 'api-key': API_KEY, ...given };
  const variables = Object.entries(env).map(([name, template]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(template) ?? [];
    return [name, values[input] ?? inputs[input]?.default ?? ''];
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
  return { stdout, code, lines: stdout.trimEnd().split('\n') };
}

test('the action runs the image of its version with the key in a variable, and passes', async () => {
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8'));
  const { lines, stdout, code } = await runAction(createReferenceServer(), { profile: 'interface' });
  expect(lines[0]).toBe(`run ghcr.io/petstore/petstore-conformance:${version} PETSTORE_API_KEY`);
  expect(lines.at(-1)).toMatch(/^\d+ passed, 0 failed$/);
  expect(stdout).not.toContain('(decision: ');
  expect(code).toBe(0);
});

test('the action fails with an annotation for each finding, and runs only what it is told', async () => {
  const fetch = changesHeader('Sunset')(createReferenceServer());
  const given = { 'read-only': 'true', 'read-api-key': READ_API_KEY, skip: UNKNOWN_METHOD };
  const { lines, stdout, code } = await runAction(fetch, { ...given, image: 'petstore-conformance:mine' });
  expect(lines[0]).toBe('run petstore-conformance:mine PETSTORE_API_KEY,PETSTORE_READ_API_KEY');
  expect(lines.filter((line) => line.startsWith('::error title=expected Sunset'))).toHaveLength(1);
  expect(stdout).toContain('ok   listPets with a key that may only read');
  expect(stdout).not.toContain('createPet returns 201');
  expect(lines.at(-1)).toMatch(/^\d+ passed, 2 failed \(1 finding\)$/);
  expect(code).toBe(1);
});

test('the README gives the action the inputs that it needs, and none that it does not have', () => {
  const [, snippet = ''] = /^```yaml\n(.*?)^```$/ms.exec(readFileSync(`${PACKAGE}/README.md`, 'utf8')) ?? [];
  const [step] = z
    .tuple([z.object({ uses: z.string(), with: z.record(z.string(), z.string()) })])
    .parse(parse(snippet));
  const given = Object.keys(step.with);
  const required = Object.keys(inputs).filter((name) => inputs[name]?.required);
  expect(required).not.toEqual([]);
  expect(given).toEqual(expect.arrayContaining(required));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
});

test('the action takes every input by a variable, and no input into its script', () => {
  const used = Object.values(env).map((template) => /inputs\.([\w-]+)/.exec(template)?.[1]);
  expect(used.toSorted()).toEqual(Object.keys(inputs).toSorted());
  expect(run).not.toContain('${{');
});
