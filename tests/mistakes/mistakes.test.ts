import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyCheckout } from '../copy-checkout.ts';

/** A mistake that must not compile: in a file, the text that is there and the text that replaces it. */
type Mistake = readonly [file: string, from: string, to: string];

const CONTRACT = 'packages/contract/src/v1/pets.ts';
const PET = 'packages/contract/src/v1/pet.ts';
const HANDLERS = 'apps/server/src/pets/handlers-v1.ts';
const REPOSITORY = 'apps/server/src/pets/repository.ts';
const TABLES = 'apps/server/src/database/tables.ts';
const PRIVILEGES = 'apps/server/src/database/postgres/privileges.ts';
const ROUTES = 'packages/client/src/testing/pet-routes.ts';
const SUITE = 'packages/conformance/src/pets/pets.ts';
const mistakes: Readonly<Record<string, Mistake>> = {
  'an operation states a header that does not exist': [CONTRACT, "['Location',", "['Locatoin',"],
  'an operation has no handler': [CONTRACT, '  getPet: operation({', '  fetchPet: operation({'],
  'a property has no column': [PET, '(properties,', '({ ...properties, age: Int64.optional() },'],
  'a property of the example is missing': [PET, "  name: 'Ñandú',\n", ''],
  'a handler returns an undeclared error': [HANDLERS, "'pet_not_found'", "'idempotency_key_reused'"],
  'a handler returns half a body': [HANDLERS, 'body: pet }', 'body: { id: pet.id } }'],
  'a creation has no caller': [HANDLERS, '          caller: callerOf(res),\n', ''],
  'a handler misspells a header': [HANDLERS, 'Location: `', 'Locatoin: `'],
  'a selection has a hidden column': [REPOSITORY, "'pets.status']", "'pets.status', 'pets.created_by']"],
  'a prepared query gets a value of another type': [REPOSITORY, '(db, { id })', '(db, { id: String(id) })'],
  'an optional property is not mapped from null': [REPOSITORY, '  status: row.status ?? undefined,\n', ''],
  'a column has another type than its property': [TABLES, 'category_id: Int64', 'category_id: string'],
  'a table has no primary key': [TABLES, "  api_keys: 'hash',\n", ''],
  'a table has no privileges': [PRIVILEGES, "  api_keys: ['select', 'insert', 'update'],\n", ''],
  'the store in memory lacks an operation': [ROUTES, 'getPet(', 'fetchPet('],
  'the suite needs a property that does not exist': [SUITE, 'categoryId: 1', 'category: 1'],
};

const copy = await copyCheckout();
afterAll(() => copy[Symbol.asyncDispose]());

const build = () =>
  copy.run('pnpm', 'exec', 'turbo', 'run', 'build', 'typecheck', '--output-logs=errors-only');

beforeAll(async () => {
  await copy.install();
  // The copy must compile without a mistake. Otherwise every mistake would seem to be found.
  await build();
});

test.each(Object.entries(mistakes))('code does not compile if %s', async (_title, [path, from, to]) => {
  const file = copy.file(path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
  await expect(build().finally(() => writeFileSync(file, text))).rejects.toThrow(/error TS\d+/);
});
