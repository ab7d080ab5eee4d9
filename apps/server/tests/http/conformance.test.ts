import { checks, scopeChecks } from '@petstore/conformance';
import { Pets, parseJson } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { describe, expect, test } from 'vitest';
import { useApp } from '#support/app';
import { createKey } from '../../src/keys/manage.ts';

/** A double would round it to 2^62. */
const BEYOND_DOUBLES = 2n ** 62n + 1n;

for (const engine of engines) {
  const { apiKey, baseUrl, request, run, service } = await useApp({}, { engine });
  // SQLite assigns the id after the highest one, so the statement inserts a pet with the id before.
  await run(
    engine === 'sqlite'
      ? `insert into pets (id, name, category_id) values (${BEYOND_DOUBLES - 1n}, 'the one before', 1)`
      : `alter table pets alter column id restart with ${BEYOND_DOUBLES}`,
  );
  const readApiKey = await createKey(service.database.db, 'auditor', { scope: 'read' });

  describe(`over ${engine} with ids beyond doubles`, () => {
    for (const check of [...checks, ...scopeChecks]) {
      test(check.name, () => check.run({ baseUrl, apiKey, readApiKey, fetch }));
    }

    test('the pets that the checks added have ids beyond doubles', async () => {
      const page = Pets.parse(parseJson(await (await request('/pets?limit=100')).text()));
      expect(page.at(-1)?.id).toBeGreaterThan(BEYOND_DOUBLES);
    });
  });
}
