import { deepStrictEqual } from 'node:assert/strict';
import { encodeCursor } from '@petstore/contract';
import { firstPets, petWithId, STATUSES } from './data/pets.ts';

const SAMPLES = 20;

/**
 * Checks that a server's responses to the three operations are right: one that is wrong would make any
 * figure worthless.
 *
 * @param petsUrl URL of the collection
 * @param count pets that the database held at the start
 * @throws AssertionError for a wrong response
 */
export async function checkResponses(petsUrl: string, apiKey: string, count: number): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const send = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { ...init, headers: { ...headers, ...init.headers } });
    const body: unknown = JSON.parse(await response.text(), withoutOthers);
    return { status: response.status, body };
  };

  for (const status of STATUSES) {
    const expected = { status: 200, body: firstPets(status, 20) };
    deepStrictEqual(await send(`${petsUrl}?status=${status}&limit=20`), expected);
    deepStrictEqual(await send(`${petsUrl}?status=${status}&limit=20&n=${performance.now()}`), expected);
  }
  for (const status of STATUSES) {
    const pets = firstPets(status, 40);
    const cursor = encodeCursor({ after: pets[19]?.id ?? 0, status });
    const page = await send(`${petsUrl}?status=${status}&limit=20&cursor=${cursor}`);
    deepStrictEqual(page, { status: 200, body: pets.slice(20) });
  }
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const id = 1 + Math.floor((sample * (count - 1)) / (SAMPLES - 1));
    deepStrictEqual(await send(`${petsUrl}/${id}`), { status: 200, body: petWithId(id) });
  }
  const { id: _id, status: _status, ...withoutStatus } = petWithId(count);
  for (const pet of [withoutStatus, ...STATUSES.map((status) => ({ ...withoutStatus, status }))]) {
    const created = await send(petsUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(pet),
    });
    const id = idOf(created.body);
    deepStrictEqual(created, { status: 201, body: { id, ...pet } });
    deepStrictEqual(await send(`${petsUrl}/${id}`), { status: 200, body: { id, ...pet } });
  }
  for (const credentials of [{}, { Authorization: 'Bearer nonsense' }]) {
    const response = await fetch(`${petsUrl}/1`, { headers: credentials });
    await response.body?.cancel();
    deepStrictEqual(response.status, 401);
  }
}

/** Leaves out properties that a pet of the peers does not have. */
const withoutOthers = (name: string, value: unknown) =>
  /^(?:\d*|id|name|categoryId|status)$/.test(name) ? value : undefined;

const idOf = (pet: unknown) => (typeof pet === 'object' && pet !== null && 'id' in pet ? pet.id : undefined);
