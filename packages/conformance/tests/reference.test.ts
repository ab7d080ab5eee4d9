import { describe, expect, test } from 'vitest';
import { checks } from '../src/checks/index.ts';
import { runChecks } from '../src/run.ts';
import { changesRequest, changesResponse } from './defects/defect.ts';
import { API_KEY, createReferenceServer } from './reference.ts';

describe.each(['http://petstore.test/v1', 'http://petstore.test/v1/'])(
  'The reference server at %s passes:',
  (baseUrl) => {
    const target = { baseUrl, apiKey: API_KEY, fetch: createReferenceServer() };
    for (const check of checks) test(check.name, () => check.run(target));
  },
);

test('The read-only checks add no pet, even where the deployment accepts requests without a key', async () => {
  const added: string[] = [];
  const keyless = changesRequest(({ headers }) => headers.set('authorization', `Bearer ${API_KEY}`));
  const fetch = changesResponse(({ status }, { method, url }) => {
    if (status === 201) added.push(`${method} ${url}`);
  })(keyless(createReferenceServer()));
  const target = { baseUrl: 'http://petstore.test/v1', apiKey: API_KEY, fetch };
  const results = await Array.fromAsync(runChecks(target, { readOnly: true }));
  expect(results.some(({ passed }) => !passed)).toBe(true);
  expect(added).toEqual([]);
});
