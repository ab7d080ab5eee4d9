import { createPetStore } from '@petstore/client';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';
import type { Creation } from '@petstore/test-support/writers';
import { expect } from 'vitest';

/** Reads all pages: the ids of the pets of each name. */
export async function readPetsByName(baseUrl: string): Promise<Map<string, unknown[]>> {
  const store = createPetStore({ baseUrl, apiKey: FIXED_KEY });
  const petsByName = new Map<string, unknown[]>();
  for await (const { name, id } of store.pets({ pageSize: 100 })) {
    petsByName.set(name, [...(petsByName.get(name) ?? []), id]);
  }
  return petsByName;
}

/** Acknowledged pets are there once, the others at most once, and nothing else is there. */
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
