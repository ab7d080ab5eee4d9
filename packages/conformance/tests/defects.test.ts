import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checks, scopeChecks } from '../src/checks/index.ts';
import { ConformanceError } from '../src/conformance-error.ts';
import { runChecks } from '../src/run/run.ts';
import { accessDefects } from './defects/access.ts';
import { bodyDefects } from './defects/body.ts';
import { createPetDefects } from './defects/create-pet.ts';
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
const found = new Set<string>();

test('Every file of tests/defects is imported by a test', () => {
  const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
  const sources = tests.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).join('\n');
  const files = readdirSync(`${import.meta.dirname}/defects`);
  expect(files.filter((file) => !sources.includes(`./defects/${file}`))).toEqual([]);
});

describe('A deployment with a defect fails the check that is named with it:', () => {
  test.concurrent.each(defects)('$defect: $foundBy', async ({ breaks, foundBy }) => {
    const fetch = breaks(createReferenceServer());
    const target = { baseUrl: 'http://petstore.test/v1', apiKey: API_KEY, readApiKey: READ_API_KEY, fetch };
    const relevant = everyCheck.filter(({ name }) => name === foundBy || name !== SLOWEST);
    const results = await Array.fromAsync(runChecks(target, { checks: relevant }));
    const failed = results.filter(({ passed }) => !passed);
    for (const { check } of failed) found.add(check.name);
    expect(failed.map(({ check }) => check.name)).toContain(foundBy);
    for (const { error } of failed) expect(error).toBeInstanceOf(ConformanceError);
  });
});

test('Every check fails for at least one of the defects', () => {
  const notFailed = everyCheck.map(({ name }) => name).filter((name) => !found.has(name));
  expect(notFailed, 'a defect in tests/defects for each').toEqual([]);
});
