import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { copyCheckout } from '../copy-checkout.ts';
import { runIn } from './run-in.ts';

/** The scope, images, repository, domain and registry that name this organisation. */
const NAMES = String.raw`@petstore\b|(ghcr\.io/|github\.com/|uses: )petstore/petstore\b|\bpetstore\.example\b|\bnpm\.example\b`;

test('after the command of CONTRIBUTING.md no old name is left, and every test passes', async () => {
  const text = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, command = ''] = /^### Names of your own\n.*?^```sh\n(.*?)^```$/ms.exec(text) ?? [];
  await using copy = await copyCheckout();
  const run = (program: string, ...args: string[]) => runIn(copy.path, program, ...args);
  await run('git', 'init', '--quiet');
  await run('git', 'add', '--all');

  await run('bash', '-ec', command);

  await expect(run('git', 'grep', '--perl-regexp', '--line-number', NAMES)).rejects.toThrow(/failed in/);
  await run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline');
  await run('pnpm', 'format');
  await run('git', 'add', '--all');
  expect(await run('pnpm', 'test')).toMatch(/ passed, 0 failed$/m);
});
