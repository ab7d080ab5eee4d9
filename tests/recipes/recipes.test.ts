import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { copyCheckout } from '../copy-checkout.ts';

const CONTRIBUTING = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');

/** Files that the build writes from the contract. */
const GENERATED = ['packages/contract/openapi.json', 'packages/client/src/contract.ts'];

/** The patch that follows a recipe for its example, its heading, and how many files it and the build may touch. */
const recipes: [patch: string, heading: string, maxFiles: number][] = [
  ['optional-property', 'A property of a pet', 8],
  ['required-property', 'A property of a pet', 8],
  ['enumeration', 'A value of an enumeration', 4],
  ['contraction', 'A column that goes', 5],
  ['operation', 'An operation', 8],
  ['change', 'An operation that changes a pet', 10],
  ['resource', 'A resource', 16],
  ['version', 'A version of the interface', 10],
];

describe.each(recipes)('the patch %s', (name, heading, maxFiles) => {
  const patch = fileURLToPath(new URL(`${name}.patch`, import.meta.url));
  const files = Array.from(readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.*)$/gm), ([, file]) => file);

  test('changes exactly the files that the recipe of CONTRIBUTING.md names', () => {
    expect(readFilesOf(heading).toSorted()).toEqual(files.toSorted());
    expect(files.length + GENERATED.length).toBeLessThanOrEqual(maxFiles);
  });

  test('makes a repository that builds without a change of other files, and passes every test', async () => {
    await using copy = await copyCheckout();
    const { run } = copy;
    await run('git', 'init', '--quiet');
    await run('git', 'add', '--all');
    await copy.install();

    await run('git', 'apply', patch);

    await run('pnpm', 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only');
    await run('pnpm', 'format');
    const changed = await run('git', 'ls-files', '--modified', '--others', '--exclude-standard');
    expect(changed.trim().split('\n').toSorted()).toEqual([...GENERATED, ...files].toSorted());
    expect(await run('pnpm', 'test')).toMatch(/ passed, 0 failed$/m);
  });
});

/** The scope, images, repository, domain and registry that name this organisation. */
const NAMES = String.raw`@petstore\b|(ghcr\.io/|github\.com/|uses: )petstore/petstore\b|\bpetstore\.example\b|\bnpm\.example\b`;

test('after the command of CONTRIBUTING.md no old name is left, and every test passes', async () => {
  const [, command = ''] = /^### Names of your own\n.*?^```sh\n(.*?)^```$/ms.exec(CONTRIBUTING) ?? [];
  await using copy = await copyCheckout();
  const { run } = copy;
  await run('git', 'init', '--quiet');
  await run('git', 'add', '--all');

  await run('bash', '-ec', command);

  await expect(run('git', 'grep', '--perl-regexp', '--line-number', NAMES)).rejects.toThrow(/failed:/);
  await copy.install();
  await run('pnpm', 'format');
  await run('git', 'add', '--all');
  expect(await run('pnpm', 'test')).toMatch(/ passed, 0 failed$/m);
});

/** The files that a recipe of CONTRIBUTING.md names. */
function readFilesOf(heading: string): string[] {
  const [, rest = ''] = CONTRIBUTING.split(`### ${heading}\n`);
  const [section = ''] = rest.split(/^##/m);
  return Array.from(
    section.matchAll(/`((?:apps|packages|deploy)\/[^`]+\.(?:ts|sql))`/g),
    ([, file = '']) => file,
  );
}
