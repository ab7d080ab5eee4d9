import { readFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { runShell } from '@petstore/test-support/programs';
import { codeBlocks, reduceToMembersOf, stepsOf } from '@petstore/test-support/readme';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { PETS_COMMAND } from './support.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the commands of apps/cli/README.md print the lines below them', async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer({}, { cwd: folder.path });
  const steps = codeBlocks(README, 'console').flatMap(({ code }) => stepsOf(code));
  expect(steps).not.toEqual([]);
  for (const { command, printed } of steps) {
    const { output } = await runShell(`pets() { ${PETS_COMMAND} "$@"; }\n${command}`, {
      cwd: folder.path,
      environment: { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: FIXED_KEY },
    });
    // The README may leave members of a pet out.
    expect(reduceToMembersOf(printed, output.trimEnd()), command).toBe(printed);
  }
});

test('the README has a row for every exit code', () => {
  const rows = Array.from(README.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));
  expect(rows).toEqual(Object.values(exitCodes));
});
