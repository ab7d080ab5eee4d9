import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const CONTRIBUTING = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/** The patch that follows a recipe for its example, its heading, and the most files that the small change may touch. */
const recipes: [patch: string, heading: string, maxFiles: number][] = [
  ['optional-property', 'A property of a pet', 6],
  ['required-property', 'A property of a pet', 6],
  ['enumeration', 'A value of an enumeration', 2],
  ['contraction', 'A column that goes', 3],
  ['operation', 'An operation', 6],
  ['change', 'An operation that changes a pet', 8],
  ['resource', 'A resource', 14],
  ['version', 'A version of the interface', 8],
];

describe.each(recipes)('the patch %s', (name, heading, maxFiles) => {
  const patch = join(ROOT, `tests/recipes/${name}.patch`);

  test('changes exactly the files that the recipe of CONTRIBUTING.md names', () => {
    const files = git('apply', '--numstat', patch).match(/\S+$/gm) ?? [];
    expect(readFilesOf(heading).toSorted()).toEqual(files.toSorted());
    expect(files.length).toBeLessThanOrEqual(maxFiles);
  });

  // Not to the working tree: recipes/recipes.test.ts runs this test in a copy that has the patch.
  test('applies to the files in the index of git', () => {
    git('apply', '--cached', '--check', patch);
  });
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
