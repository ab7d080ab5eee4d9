import { deepStrictEqual } from 'node:assert/strict';
import { animal, firstOf, STATUSES } from './data/animals.ts';

const SAMPLES = 20;

/**
 * Checks that a server answers the three operations as it has to, before what it does is counted.
 *
 * @param pets address of the collection
 * @param count animals that were in the database at first
 * @throws AssertionError for a wrong answer
 */
export async function checkAnswers(pets: string, apiKey: string, count: number): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const call = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(address, { ...init, headers: { ...headers, ...init.headers } });
    const body: unknown = await response.json();
    return { status: response.status, body };
  };

  for (const status of STATUSES) {
    const expected = { status: 200, body: firstOf(status, 20) };
    deepStrictEqual(await call(`${pets}?status=${status}&limit=20`), expected);
  }
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const id = 1 + Math.floor((sample * (count - 1)) / (SAMPLES - 1));
    deepStrictEqual(await call(`${pets}/${id}`), { status: 200, body: animal(id) });
  }
  const { id: _id, status: _status, ...withoutStatus } = animal(count);
  for (const pet of [withoutStatus, ...STATUSES.map((status) => ({ ...withoutStatus, status }))]) {
    const created = await call(pets, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(pet),
    });
    const id = idOf(created.body);
    deepStrictEqual(created, { status: 201, body: { id, ...pet } });
    deepStrictEqual(await call(`${pets}/${id}`), { status: 200, body: { id, ...pet } });
  }
  for (const credentials of [{}, { Authorization: 'Bearer nonsense' }]) {
    const response = await fetch(`${pets}/1`, { headers: credentials });
    await response.body?.cancel();
    deepStrictEqual(response.status, 401);
  }
}

const idOf = (pet: unknown) => (typeof pet === 'object' && pet !== null && 'id' in pet ? pet.id : undefined);
