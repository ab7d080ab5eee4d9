import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectEndpoint, expectErrorCode, expectField, expectResource } from './outcomes.ts';
import { pathInPackage, type Recipe } from './recipe.ts';
import { endpoint } from './recipes/endpoint.ts';
import { errorCode } from './recipes/error-code.ts';
import { optionalField } from './recipes/optional-field.ts';
import { requiredField } from './recipes/required-field.ts';
import { resource } from './recipes/resource.ts';
import { createWorkspace, type Outcome, type Workspace } from './workspace.ts';

/** Each recipe, and what is there once it was followed. */
const recipes: { recipe: Recipe; expectOutcome: (workspace: Workspace) => Promise<void> }[] = [
  {
    recipe: requiredField,
    expectOutcome: (workspace) =>
      expectField(workspace, { name: 'breed', value: 'Rhea', leftOut: 'unknown' }),
  },
  {
    recipe: optionalField,
    expectOutcome: (workspace) => expectField(workspace, { name: 'age', value: 3, leftOut: undefined }),
  },
  { recipe: endpoint, expectOutcome: expectEndpoint },
  { recipe: resource, expectOutcome: expectResource },
  { recipe: errorCode, expectOutcome: expectErrorCode },
];

/** Tests of what the recipes change. `pnpm test` would run all others, too. */
const TESTS = [
  'packages/contract/src',
  'packages/client/src/pet-store.test.ts',
  'packages/client/tests/generate.test.ts',
  'packages/client/tests/size.test.ts',
  'packages/conformance/tests/checks.test.ts',
  'apps/server/tests/creation/idempotency.test.ts',
  'apps/server/tests/http/second-version.test.ts',
  'apps/server/tests/operations/pet-origins.test.ts',
  'apps/server/tests/storage/migrations.test.ts',
  'apps/cli/tests/import-csv.test.ts',
  'tests/error-codes.test.ts',
];

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace[Symbol.asyncDispose]());

describe.each(recipes)('$recipe.heading:', ({ recipe: { heading, steps, tests = [] }, expectOutcome }) => {
  test('CONTRIBUTING.md names the files of all steps, and no other', () => {
    const files = steps.map(({ file }) => file.replace(/\/\d{3}-/, '/NNN-'));
    expect(readFilesOf(heading)).toEqual(new Set(files));
  });

  test('with all steps it builds, and works', async () => {
    await workspace.follow(steps);
    expectSuccess(await workspace.build());
    await expectOutcome(workspace);
    expectSuccess(await workspace.test(tests));
  });

  const leftOut = steps
    .map((step, index) => ({ ...step, number: index + 1, others: steps.filter((other) => other !== step) }))
    .filter(({ isAsIn }) => isAsIn === undefined);

  test.each(leftOut)('without step $number, in $file, a failure names it', async (step) => {
    await workspace.follow(step.others);
    let outcome = await workspace.build();
    if (step.noticedBy !== undefined) {
      expectSuccess(outcome);
      outcome = await workspace.test([step.noticedBy], '--bail=1');
    }
    expect(outcome.isSuccess, outcome.output).toBe(false);
    expect(outcome.output).toContain(step.named ?? pathInPackage(step.file));
  });
});

test('with all recipes together, types, lint and the tests of what they change are green', async () => {
  await workspace.follow(recipes.flatMap(({ recipe }) => recipe.steps));
  expectSuccess(await workspace.build());
  expectSuccess(await workspace.run('pnpm', ['exec', 'turbo', 'run', 'typecheck']));
  expectSuccess(await workspace.run('pnpm', ['exec', 'biome', 'lint', '--error-on-warnings']));
  expectSuccess(await workspace.test(TESTS));
});

function expectSuccess({ isSuccess, output }: Outcome): void {
  expect(isSuccess, output).toBe(true);
}

/** The files that a recipe of CONTRIBUTING.md names. */
function readFilesOf(heading: string): Set<string> {
  const text = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, rest = ''] = text.split(`### ${heading}\n`);
  const [section = ''] = rest.split(/^##/m);
  return new Set(
    Array.from(section.matchAll(/`((?:(?:apps|packages)\/[^`]+|README)\.\w+)`/g), ([, file = '']) => file),
  );
}
