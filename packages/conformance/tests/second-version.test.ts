import { createMemoryPetStore } from '@petstore/client/testing';
import { v2 } from '@petstore/test-support/second-version';
import { describe, expect, test } from 'vitest';
import { checks, sharedChecks } from '../src/checks/index.ts';
import { runChecks } from '../src/run/run.ts';
import type { Fetch } from '../src/target.ts';

const CATEGORIES: Record<string, number> = { birds: 7, dogs: 3 };
const nameOf = (id: string) => Object.entries(CATEGORIES).find(([, known]) => `${known}` === id)?.[0] ?? id;

/** One store that serves version 1, and beside it version 2, which names the category of a pet. */
function serveBothVersions(): { apiKey: string; fetch: Fetch } {
  const { apiKey, fetch } = createMemoryPetStore();
  return {
    apiKey,
    async fetch(url, init) {
      if (!new URL(url).pathname.startsWith(v2.prefix)) return fetch(url, init);
      const { body } = init;
      const response = await fetch(url.replace(v2.prefix, '/v1'), {
        ...init,
        ...(typeof body === 'string' && { body: toVersion1(body) }),
      });
      return new Response(toVersion2(await response.text()), response);
    },
  };
}

const toVersion1 = (text: string) =>
  text.replace(/"category":"(\w+)"/, (_match, name: string) => `"categoryId":${CATEGORIES[name]}`);
const toVersion2 = (text: string) =>
  text.replaceAll(/"categoryId":(\d+)/g, (_match, id: string) => `"category":"${nameOf(id)}"`);

const { apiKey, fetch } = serveBothVersions();
const request = async (method: string, path: string, body: string | null = null) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`http://petstore.test${path}`, { method, headers, body });
  return JSON.parse(await response.text());
};

describe('A second version beside the first', () => {
  test('has its own property, over the same pets', async () => {
    const added = await request('POST', '/v2/pets', '{"name":"Ñandú","category":"birds"}');
    expect(v2.contract.pets.createPet.responses[201].parse(added)).toEqual(added);
    expect(added).toHaveProperty('category', 'birds');
    const inVersion1 = await request('GET', `/v1/pets/${added.id}`);
    expect(inVersion1).toMatchObject({ id: added.id, name: 'Ñandú', categoryId: 7 });
    expect(inVersion1).not.toHaveProperty('category');
    const page = await request('GET', '/v2/pets');
    expect(v2.contract.pets.listPets.responses[200].parse(page)).toEqual([added]);
  });

  describe('passes the checks that all versions share:', () => {
    const target = { baseUrl: `http://petstore.test${v2.prefix}`, apiKey, fetch };
    for (const check of sharedChecks) test(check.name, () => check.run(target));
  });

  test('leaves the first as it was', async () => {
    const target = { baseUrl: 'http://petstore.test/v1', apiKey, fetch };
    const results = await Array.fromAsync(runChecks(target, { checks }));
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
  });
});
