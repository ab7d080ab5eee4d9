import { checks, scopeChecks } from '@petstore/conformance';
import { Pets, parseJson } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { createKey } from '../../src/keys/manage.ts';

/** A double would round it to 2^62. */
const BEYOND_DOUBLES = 2n ** 62n + 1n;

describe.each(engines)('over %s with ids beyond doubles', (engine) => {
  let app: RunningApp;
  let readApiKey: string;

  beforeAll(async () => {
    app = await startApp({}, { engine });
    // SQLite assigns the id after the highest one, so the statement inserts a pet with the id before.
    const statement =
      engine === 'sqlite'
        ? `insert into pets (id, name, category_id) values (${BEYOND_DOUBLES - 1n}, 'the one before', 1)`
        : `alter table pets alter column id restart with ${BEYOND_DOUBLES}`;
    await app.run(statement);
    readApiKey = await createKey(app.service.database.db, 'auditor', { scope: 'read' });
  });

  afterAll(() => app[Symbol.asyncDispose]());

  for (const check of [...checks, ...scopeChecks]) {
    test(check.name, () => check.run({ baseUrl: app.baseUrl, apiKey: app.apiKey, readApiKey, fetch }));
  }

  test('the pets that the checks added have ids beyond doubles', async () => {
    const page = Pets.parse(parseJson(await (await app.request('/pets?limit=100')).text()));
    expect(page.at(-1)?.id).toBeGreaterThan(BEYOND_DOUBLES);
  });
});
