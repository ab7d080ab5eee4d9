import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLink, Pet, Pets, parseJson } from '@petstore/contract';
import { expect } from 'vitest';
import { creation as creationOf, fetchWithKey } from './servers/fetch-with-key.ts';
import { FIXED_KEY } from './servers/server-process.ts';

/** A creation, as its writer knows it. No two creations have the same name. */
export interface Creation {
  name: string;
  /** The id in each 201 response. Without one the writer does not know whether the pet exists. */
  ids: unknown[];
}

/**
 * Starts clients that add pets until they are told to end. Half of them send an Idempotency-Key, repeat a request until
 * it gets a 201, and then once more.
 */
export function startWriters(origin: string, { count }: { count: number }) {
  const namePrefix = randomUUID();
  const creations: Creation[] = [];
  let isEnding = false;
  let isDisposed = false;

  /** @returns whether the creation is acknowledged */
  async function send({ name, ids }: Creation, headers: Record<string, string>): Promise<boolean> {
    const init = creationOf(name, headers);
    const response = await fetchWithKey(origin, FIXED_KEY)('/v1/pets', init).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    // 503 is like no response: the pet may have been created.
    if (response === undefined || text === undefined || response.status === 503) return false;
    if (response.status !== 201) throw new Error(`The response to a creation is ${text}`);
    ids.push(Pet.parse(parseJson(text)).id);
    return true;
  }

  async function write(writer: number): Promise<void> {
    const isKeyed = writer % 2 === 0;
    for (let number = 0; !isEnding; number += 1) {
      const creation: Creation = { name: `${namePrefix}-${writer}-${number}`, ids: [] };
      const headers: Record<string, string> = isKeyed ? { 'idempotency-key': creation.name } : {};
      creations.push(creation);
      if (isKeyed) while (!isDisposed && !(await send(creation, headers))) await sleep(50);
      await send(creation, headers);
      // Without a pause, the writers would take the processor from other tests.
      await sleep(25);
    }
  }

  const all = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
  // A writer that fails is reported by end(), not as an unhandled rejection.
  all.catch(() => {});
  const end = async () => {
    isEnding = true;
    await all;
  };
  return {
    creations,
    /** Lets each writer finish its creation. */
    end,
    /** Also ends writers that no server responds to: otherwise a failed test would end by its timeout. */
    [Symbol.asyncDispose]: () => {
      isDisposed = true;
      return end();
    },
  };
}

/** Expects each acknowledged pet exactly once, each other creation at most once, and no further pets. */
export async function expectExactlyOnce(baseUrl: string, creations: readonly Creation[]): Promise<void> {
  const idsByName = new Map<string, unknown[]>(creations.map(({ name }) => [name, []]));
  for (let next: string | undefined = `${baseUrl}/pets?limit=100`; next !== undefined; ) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${FIXED_KEY}` } });
    for (const { name, id } of Pets.parse(parseJson(await response.text())))
      (idsByName.get(name) ?? expect.fail(`${name} was not added`)).push(id);
    const link = findLink(response.headers.get('link'), 'next');
    next = link && new URL(link, baseUrl).href;
  }
  for (const { name, ids } of creations) {
    const found = idsByName.get(name) ?? [];
    if (ids.length > 0) expect(found, `acknowledged: ${name}`).toEqual([...new Set(ids)]);
    expect(found.length, `at most once: ${name}`).toBeLessThanOrEqual(1);
  }
}
