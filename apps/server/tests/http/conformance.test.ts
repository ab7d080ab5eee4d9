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
  await run(
    engine === 'sqlite'
      ? `update sqlite_sequence set seq = ${BEYOND_DOUBLES - 1n} where name = 'pets'`
      : `alter table pets alter column id restart with ${BEYOND_DOUBLES}`,
  );
  const readApiKey = await createKey(service.database.db, 'auditor', { scope: 'read' });

  describe(`over ${engine} with ids beyond doubles`, () => {
    for (const check of [...checks, ...scopeChecks])
      test(check.name, () => check.run({ baseUrl, apiKey, readApiKey, fetch }));

    test('the pets that the checks added have ids beyond doubles', async () => {
      // The first pet of all has the lowest id.
      const [pet] = Pets.parse(parseJson(await (await request('/pets?limit=1')).text()));
      expect(pet?.id).toBeGreaterThanOrEqual(BEYOND_DOUBLES);
    });
  });
}
