import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { copyCheckout } from '../copy-checkout.ts';
import { change } from './change.ts';
import { contraction } from './contraction.ts';
import { enumeration } from './enumeration.ts';
import { operation } from './operation.ts';
import { optionalProperty, requiredProperty } from './property.ts';
import { follow } from './recipe.ts';
import { resource } from './resource.ts';
import { runIn } from './run-in.ts';
import { version } from './version.ts';

/** Files that the build writes from the contract. */
const GENERATED = ['packages/contract/openapi.json', 'packages/client/src/contract.ts'];

describe.each([
  optionalProperty,
  requiredProperty,
  enumeration,
  contraction,
  operation,
  change,
  resource,
  version,
])('$title:', (recipe) => {
  test('CONTRIBUTING.md names exactly the files that the recipe edits', () => {
    const named = readFilesOf(recipe.heading);
    expect(named.toSorted()).toEqual(Object.keys(recipe.edits).toSorted());
    expect(named.length + GENERATED.length).toBeLessThanOrEqual(recipe.maxFiles);
  });

  test('the repository builds, no other file changes, and every test passes', async () => {
    await using copy = await copyCheckout();
    const run = (command: string, ...args: string[]) => runIn(copy.path, command, ...args);
    await run('git', 'init', '--quiet');
    await run('git', 'add', '--all');
    await run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline');

    follow(recipe, copy.file);

    await run('pnpm', 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only');
    await run('pnpm', 'format');
    const changed = await run('git', 'ls-files', '--modified', '--others', '--exclude-standard');
    expect(changed.trim().split('\n').toSorted()).toEqual(
      [...GENERATED, ...Object.keys(recipe.edits)].toSorted(),
    );
    expect(await run('pnpm', 'test')).toMatch(/ passed, 0 failed$/m);
  });
});

/** The files that a recipe of CONTRIBUTING.md names. */
function readFilesOf(heading: string): string[] {
  const text = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, rest = ''] = text.split(`### ${heading}\n`);
  const [section = ''] = rest.split(/^##/m);
  return Array.from(
    section.matchAll(/`((?:apps|packages|deploy)\/[^`]+\.(?:ts|sql))`/g),
    ([, file = '']) => file,
  );
}
