import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Check } from '../src/check.ts';
import { checks, scopeChecks } from '../src/checks/index.ts';
import { ConformanceError } from '../src/conformance-error.ts';
import { runChecks } from '../src/run/run.ts';
import { accessDefects } from './defects/access.ts';
import { bodyDefects } from './defects/body.ts';
import { createPetDefects } from './defects/create-pet.ts';
import type { Defect } from './defects/defect.ts';
import { errorsDefects } from './defects/errors.ts';
import { getPetDefects } from './defects/get-pet.ts';
import { idempotencyKeyDefects } from './defects/idempotency-key.ts';
import { limitDefects } from './defects/limit.ts';
import { listPetsDefects } from './defects/list-pets.ts';
import { nameDefects } from './defects/name.ts';
import { API_KEY, createReferenceServer, READ_API_KEY } from './reference.ts';

const defects = [
  ...listPetsDefects,
  ...limitDefects,
  ...createPetDefects,
  ...nameDefects,
  ...bodyDefects,
  ...idempotencyKeyDefects,
  ...getPetDefects,
  ...accessDefects,
  ...errorsDefects,
];
const everyCheck = [...checks, ...scopeChecks];
/** Takes as long as all others together, so that it runs only for the defects that it finds. */
const SLOWEST =
  'A reader of all pages sees every acknowledged pet once, in ascending order, while others write';
/** More than fit into one page, because the checks that only read need some. */
const PETS = 120;
/** Beside the check that is named with a defect, this share of the others runs: all would take four times as long. */
const SHARE = 4;
const found = new Set<string>();

/** The checks that run against a deployment with a defect. Each check gets defects of every file. */
const checksFor = (number: number, foundBy: string) =>
  everyCheck.filter(
    ({ name }, index) => name === foundBy || (name !== SLOWEST && index % SHARE === number % SHARE),
  );

async function failuresOf({ breaks }: Defect, selected: readonly Check[]) {
  const fetch = breaks(createReferenceServer(PETS));
  const target = { baseUrl: 'http://petstore.test/v1', apiKey: API_KEY, readApiKey: READ_API_KEY, fetch };
  const results = await Array.fromAsync(runChecks(target, { checks: selected }));
  return results.filter(({ passed }) => !passed);
}

test('Every file of tests/defects is imported by a test', () => {
  const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
  const sources = tests.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).join('\n');
  const files = readdirSync(`${import.meta.dirname}/defects`);
  expect(files.filter((file) => !sources.includes(`./defects/${file}`))).toEqual([]);
});

describe('A deployment with a defect fails the check that is named with it:', () => {
  const numbered = defects.map((defect, number) => ({ ...defect, number }));

  test.concurrent.each(numbered)('$defect: $foundBy', async ({ number, ...defect }) => {
    const { foundBy } = defect;
    const failed = await failuresOf(defect, checksFor(number, foundBy));
    for (const { check } of failed) found.add(check.name);
    expect(failed.map(({ check }) => check.name)).toContain(foundBy);
    for (const { error } of failed) expect(error).toBeInstanceOf(ConformanceError);
  });
});

test('Every check fails for at least one of the defects', async () => {
  const notFailed: string[] = [];
  for (const check of everyCheck.filter(({ name }) => !found.has(name))) {
    if (!(await failsForSome(check))) notFailed.push(check.name);
  }
  expect(notFailed, 'a defect in tests/defects for each').toEqual([]);
});

async function failsForSome(check: Check): Promise<boolean> {
  for (const defect of defects) if ((await failuresOf(defect, [check])).length > 0) return true;
  return false;
}
