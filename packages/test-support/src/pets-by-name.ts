import { findLink, Pets, parseJson } from '@petstore/contract';
import { expect } from 'vitest';
import { FIXED_KEY } from './servers/server-process.ts';
import type { Creation } from './writers.ts';

/** Reads all pages, and groups the ids of the pets by name. */
export async function readPetsByName(baseUrl: string): Promise<Map<string, unknown[]>> {
  const petsByName = new Map<string, unknown[]>();
  let next: string | undefined = `${baseUrl}/pets?limit=100`;
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${FIXED_KEY}` } });
    for (const { name, id } of Pets.parse(parseJson(await response.text()))) {
      petsByName.set(name, [...(petsByName.get(name) ?? []), id]);
    }
    const link = findLink(response.headers.get('link'), 'next');
    next = link && new URL(link, baseUrl).href;
  }
  return petsByName;
}

/** Expects each acknowledged pet exactly once, each other creation at most once, and no further pets. */
export function expectExactlyOnce(petsByName: Map<string, unknown[]>, creations: readonly Creation[]): void {
  for (const { name, ids } of creations) {
    if (ids.length === 0) {
      expect(petsByName.get(name)?.length ?? 0, `not acknowledged: ${name}`).toBeLessThanOrEqual(1);
      continue;
    }
    expect(new Set(ids).size, `one id under the key ${name}`).toBe(1);
    expect(petsByName.get(name), `acknowledged: ${name}`).toEqual(ids.slice(0, 1));
  }
  const names = new Set(creations.map(({ name }) => name));
  expect([...petsByName.keys()].filter((name) => !names.has(name))).toEqual([]);
}
