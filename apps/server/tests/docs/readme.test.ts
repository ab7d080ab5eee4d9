import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { codeBlocks, reduceToMembersOf, stepsOf, variablesOf } from '@petstore/test-support/readme';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { readConfig, variables } from '../../src/process/config.ts';

const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
const CONFIGURE = readFileSync(new URL('../../../../docs/configure.md', import.meta.url), 'utf8');
const ROOT = `${import.meta.dirname}/../../../..`;

/** The first console block calls the service, and the second one checks it. */
const [curls = [], [conformance] = []] = codeBlocks(README, 'console').map(({ code }) => stepsOf(code));

test('README.md has commands that print the lines below them, and a conformance command that passes', async () => {
  await using server = await startServer();
  expect(curls).not.toEqual([]);
  for (const { command, printed } of curls)
    expect(reduceToMembersOf(printed, outputOf(command, server.baseUrl))).toBe(printed);
  expect(outputOf(conformance?.command ?? '', server.baseUrl)).toMatch(/^[1-9]\d* passed, 0 failed$/m);
});

test('docs/configure.md has a row with the default of every variable', () => {
  const documented = variablesOf(CONFIGURE);
  expect(Object.keys(documented).sort()).toEqual([...variables].sort());
  expect(readConfig(documented)).toEqual(readConfig({}));
});

/** Runs a command of the README, without its build, against a server of the test. @returns its standard output */
function outputOf(command: string, baseUrl: string) {
  const text = command
    .replaceAll('http://127.0.0.1:3000/v1', baseUrl)
    .replace('pnpm conformance', 'node packages/conformance/dist/cli.js');
  const env = { ...process.env, API_KEY: FIXED_KEY };
  return spawnSync('sh', ['-c', text], { cwd: ROOT, encoding: 'utf8', env }).stdout;
}
