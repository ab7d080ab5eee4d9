import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@petstore/test-support/files';
import { runTool } from '@petstore/test-support/programs';

const ROOT = join(import.meta.dirname, '..');

/** Files in git that the build writes. */
export const GENERATED: readonly string[] = [
  'packages/contract/openapi.json',
  'packages/client/src/contract.ts',
  'packages/conformance/checks.txt',
];

/** Copies this checkout to a temporary folder, as it is after `git clone`: nothing is installed, nothing is built. */
export async function copyCheckout(options: { prefix?: string } = {}) {
  const folder = await temporaryFolder(undefined, options);
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  // git also lists files that were deleted since the last commit.
  for (const file of files.filter((name) => name !== '' && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), folder.file(file));
  // Tests search the output for texts that colours would split.
  const { FORCE_COLOR: _color, ...env } = process.env;
  const inCopy = { cwd: folder.path, env: { ...env, DATABASES: 'sqlite', NO_COLOR: '1' } };
  /** Runs a command in the copy, with SQLite as the only database. */
  const run = (command: string, ...args: string[]) => runTool(command, args, inCopy);
  return { ...folder, run, install: () => run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline') };
}
