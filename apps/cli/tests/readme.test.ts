import { readFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { startShell } from '@petstore/test-support/programs';
import { codeBlocks, withMembersOf } from '@petstore/test-support/readme';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { PETS } from './support.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the commands of apps/cli/README.md print the lines below them', async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer({}, { cwd: folder.path });
  const blocks = codeBlocks(README, 'console').map(({ code }) => code);
  const steps = blocks.join('').split(/^\$ /m).slice(1);
  expect(steps.length).toBeGreaterThan(3);
  for (const step of steps) {
    const [command = '', ...lines] = step.trimEnd().split('\n');
    await using shell = startShell(`pets() { '${process.execPath}' '${PETS}' "$@"; }\n${command}`, {
      cwd: folder.path,
      environment: { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: FIXED_KEY },
    });
    await shell.ended;
    const expected = lines.join('\n');
    expect(withMembersOf(expected, shell.output().trimEnd()), command).toBe(expected);
  }
});

test('the README has a row for every exit code', () => {
  const rows = Array.from(README.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));
  expect(rows).toEqual(Object.values(exitCodes));
});
