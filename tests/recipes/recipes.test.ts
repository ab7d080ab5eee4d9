import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyCheckout, GENERATED } from '../copy-checkout.ts';

const CONTRIBUTING = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');

test.each(globSync('*.patch', { cwd: import.meta.dirname }))(
  '%s makes a repository that builds without a change of other files, and passes every test',
  async (name) => {
    const patch = join(import.meta.dirname, name);
    await using copy = await copyCheckout();
    const { run } = copy;
    await run('git', 'init', '--quiet');
    await run('git', 'add', '--all');
    await copy.install();

    await run('git', 'apply', patch);
    const files = (await run('git', 'apply', '--numstat', patch)).match(/\S+$/gm) ?? [];

    await run('pnpm', 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only');
    await run('pnpm', 'format');
    const changed = await run('git', 'ls-files', '--modified', '--others', '--exclude-standard');
    const written = changed.split('\n').filter((file) => file !== '' && !GENERATED.includes(file));
    expect(written.toSorted()).toEqual(files.toSorted());
    expect(await run('pnpm', 'test')).toMatch(/ passed, 0 failed$/m);
  },
);

/** The scope, images, repository, domain and registry that name this organisation. */
const NAMES = String.raw`@petstore\b|(ghcr\.io/|github\.com/)petstore/petstore\b|\bpetstore\.example\b|\bnpm\.example\b`;

test('after the command of CONTRIBUTING.md no old name is left, and every test passes', async () => {
  const [, command = ''] = /^### Names of your own\n.*?^```sh\n(.*?)^```$/ms.exec(CONTRIBUTING) ?? [];
  await using copy = await copyCheckout();
  const { run } = copy;
  await run('git', 'init', '--quiet');
  await run('git', 'add', '--all');

  await run('bash', '-ec', command);

  // Without a match, `git grep` fails and prints nothing.
  await expect(run('git', 'grep', '--perl-regexp', '--line-number', NAMES)).rejects.toThrow(/failed:\n$/);
  await copy.install();
  await run('pnpm', 'format');
  // A test checks that the patches apply to the index.
  await run('git', 'add', '--all');
  expect(await run('pnpm', 'test')).toMatch(/ passed, 0 failed$/m);
});
