import { describe, expect, test } from 'vitest';
import { checks } from '../src/checks/index.ts';
import { runChecks } from '../src/run.ts';
import { mistakesAnswer, mistakesRequest } from './defects/breaking.ts';
import { API_KEY, createReferenceServer } from './reference/server.ts';

describe.each(['http://petstore.test/v1', 'http://petstore.test/v1/'])(
  'The reference server at %s',
  (baseUrl) => {
    const target = { baseUrl, apiKey: API_KEY, fetch: createReferenceServer() };
    for (const check of checks) test(check.name, () => check.run(target));
  },
);

test('The read-only checks add no animal, not even where no key is asked for', async () => {
  const added: string[] = [];
  const keyless = mistakesRequest(({ headers }) => headers.set('authorization', `Bearer ${API_KEY}`));
  const fetch = mistakesAnswer(({ status }, { method, url }) => {
    if (status === 201) added.push(`${method} ${url}`);
  })(keyless(createReferenceServer()));
  const target = { baseUrl: 'http://petstore.test/v1', apiKey: API_KEY, fetch };
  const results = await Array.fromAsync(runChecks(target, { readOnly: true }));
  expect(results.some(({ passed }) => !passed)).toBe(true);
  expect(added).toEqual([]);
});
