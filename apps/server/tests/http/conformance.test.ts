import { checks } from '@petstore/conformance';
import { engines } from '@petstore/test-support/databases/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { beginIdsAt } from '#support/ids';

const BEYOND_DOUBLES = 2n ** 62n + 1n;

// Over PostgreSQL with ids from 1 on, creation/postgres-replicas.test.ts runs them against three servers.
const deployments = [
  { engine: 'sqlite', firstId: 1n },
  { engine: 'sqlite', firstId: BEYOND_DOUBLES },
  { engine: 'postgres', firstId: BEYOND_DOUBLES },
] as const;

describe.each(deployments.filter(({ engine }) => engines.includes(engine)))(
  'over $engine with ids from $firstId on',
  ({ engine, firstId }) => {
    let app: RunningApp;

    beforeAll(async () => {
      app = await startApp({}, engine);
      if (firstId > 1n) await beginIdsAt(app.service.database, engine, firstId);
    });

    afterAll(() => app[Symbol.asyncDispose]());

    for (const check of checks) {
      test(check.name, () => check.run({ baseUrl: app.baseUrl, apiKey: app.apiKey, fetch }));
    }

    test('the pets that the checks added have such ids', async () => {
      const page = await (await app.request('/pets?limit=100')).text();
      const [, last = '0'] = /"id":(\d+)[^{]*$/.exec(page) ?? [];
      expect(BigInt(last)).toBeGreaterThan(firstId);
    });
  },
);
