import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProgram } from '@petstore/test-support/programs';
import { codeBlocks, stepsOf, variablesOf, withMembersOf } from '@petstore/test-support/readme';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { readConfig, variables } from '../../src/process/config.ts';

const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
const CONFIGURE = readFileSync(new URL('../../../../docs/configure.md', import.meta.url), 'utf8');
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** A folder inside the package, so that the snippet finds its dependencies. Git ignores it. */
const REPORTS = fileURLToPath(new URL('../../reports', import.meta.url));

const [curls, conformance] = codeBlocks(README, 'console').map(({ code }) => stepsOf(code));
const [snippet] = codeBlocks(README, 'ts').map(({ code }) => code);

describe('README.md', () => {
  test('has commands that print the lines below them, and a conformance command that passes', async () => {
    await using server = await startServer();
    expect(curls).toHaveLength(4);
    for (const { command, printed } of curls ?? []) {
      expect(withMembersOf(printed, run(command, server.baseUrl).stdout)).toBe(printed);
    }
    const [{ command } = { command: '' }] = conformance ?? [];
    expect(run(command, server.baseUrl).stdout).toMatch(/^[1-9]\d* passed, 0 failed$/m);
  });

  test('has a client snippet that compiles and runs', async () => {
    await using app = await startApp({ API_KEYS: FIXED_KEY });
    await using folder = await temporaryFolder(REPORTS);
    const file = folder.file('snippet.ts');
    writeFileSync(file, `${snippet}`.replace('http://127.0.0.1:3000/v1', app.baseUrl));
    const project = { extends: '../../tsconfig.json', include: ['.'] };
    writeFileSync(folder.file('tsconfig.json'), JSON.stringify(project));
    const compiled = spawnSync('tsc', ['-p', folder.path], { encoding: 'utf8' });
    expect(compiled).toMatchObject({ stdout: '', status: 0 });
    const { stdout } = await startProgram([file], { environment: { API_KEY: FIXED_KEY } }).ended;
    expect(stdout).toBe('added Ñandú\navailable: Ñandú\n');
  });
});

test('docs/configure.md has a row with the default of every variable', () => {
  const documented = variablesOf(CONFIGURE);
  expect(Object.keys(documented).sort()).toEqual([...variables].sort());
  expect(readConfig(documented)).toEqual(readConfig({}));
});

/** Runs a command of the README against a server of the test. */
function run(command: string, baseUrl: string) {
  const text = command
    .replaceAll('http://127.0.0.1:3000/v1', baseUrl)
    .replace('pnpm conformance', 'node packages/conformance/dist/cli.js');
  return spawnSync('sh', ['-c', text], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, API_KEY: FIXED_KEY },
  });
}
