import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const CONTRIBUTING = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/** The patch that follows a recipe for its example, and the heading of the recipe. */
const recipes: [patch: string, heading: string][] = [
  ['optional-property', 'A property of a pet'],
  ['required-property', 'A property of a pet'],
  ['enumeration', 'A value of an enumeration'],
  ['contraction', 'A column that goes'],
  ['operation', 'An operation'],
  ['change', 'An operation that changes a pet'],
  ['resource', 'A resource'],
  ['version', 'A version of the interface'],
];

describe.each(recipes)('the patch %s', (name, heading) => {
  const patch = join(ROOT, `tests/recipes/${name}.patch`);

  test('changes exactly the files that the recipe of CONTRIBUTING.md names', () => {
    const files = git('apply', '--numstat', patch).match(/\S+$/gm) ?? [];
    expect(readFilesOf(heading).toSorted()).toEqual(files.toSorted());
  });

  // Not to the working tree: `pnpm test:recipes` applies the patch to a copy, and runs this test there, too.
  test('applies to the files in the index of git', () => {
    git('apply', '--cached', '--check', patch);
  });
});

/** The files that a recipe of CONTRIBUTING.md names. */
function readFilesOf(heading: string): string[] {
  const [section = ''] = new RegExp(`^### ${heading}\n.*?^##`, 'ms').exec(CONTRIBUTING) ?? [];
  return section.match(/(?<=`)(?:apps|packages|deploy)\/[^`]+\.(?:ts|sql)(?=`)/g) ?? [];
}
