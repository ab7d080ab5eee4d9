import { describe, expect, test } from 'vitest';
import { checks, scopeChecks } from '../src/checks/index.ts';
import { runChecks } from '../src/run/run.ts';
import { changesRequest, changesResponse } from './defects/defect.ts';
import { API_KEY, createReferenceServer, READ_API_KEY } from './reference.ts';

describe.each(['http://petstore.test/v1', 'http://petstore.test/v1/'])(
  'The reference server at %s passes:',
  (baseUrl) => {
    const target = { baseUrl, apiKey: API_KEY, readApiKey: READ_API_KEY, fetch: createReferenceServer() };
    for (const check of [...checks, ...scopeChecks]) test(check.name, () => check.run(target));
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

test('The read-only checks pass with a key that may only read', async () => {
  const fetch = createReferenceServer();
  const target = {
    baseUrl: 'http://petstore.test/v1',
    apiKey: READ_API_KEY,
    readApiKey: READ_API_KEY,
    fetch,
  };
  const results = await Array.fromAsync(
    runChecks(target, { checks: [...checks, ...scopeChecks], readOnly: true }),
  );
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
});
