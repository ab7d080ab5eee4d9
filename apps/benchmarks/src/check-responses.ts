import { deepStrictEqual } from 'node:assert/strict';
import { encodeCursor } from '@petstore/contract';
import { API_KEY, petWithId, STATUSES } from './seed.ts';

const SAMPLES = 20;

const PAGE_SIZE = 20;

/** Enough for two pages of each status. */
const FIRST_PETS = 2 * PAGE_SIZE * STATUSES.length;

/**
 * Checks a server's responses to the three operations: a wrong response would make any figure worthless.
 * @param count pets that the database held at the start, at least `FIRST_PETS`
 * @throws AssertionError for a wrong response
 */
export async function checkResponses(petsUrl: string, count: number): Promise<void> {
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(petsUrl + path, { headers, ...init });
    const body: unknown = JSON.parse(await response.text(), keepPetProperties);
    return { status: response.status, body };
  };
  const firstPets = Array.from({ length: FIRST_PETS }, (_, index) => petWithId(index + 1));

  for (const status of STATUSES) {
    const pets = firstPets.filter((pet) => pet.status === status);
    const query = `?status=${status}&limit=${PAGE_SIZE}`;
    const cursor = encodeCursor({ after: pets[PAGE_SIZE - 1]?.id ?? 0, status });
    deepStrictEqual(await send(query), { status: 200, body: pets.slice(0, PAGE_SIZE) });
    deepStrictEqual(await send(`${query}&cursor=${cursor}`), { status: 200, body: pets.slice(PAGE_SIZE) });
  }
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    // From the first pet to the last.
    const id = 1 + Math.floor((sample * (count - 1)) / (SAMPLES - 1));
    deepStrictEqual(await send(`/${id}`), { status: 200, body: petWithId(id) });
  }
  const { id: _id, status: _status, ...withoutStatus } = petWithId(count);
  for (const pet of [withoutStatus, ...STATUSES.map((status) => ({ ...withoutStatus, status }))]) {
    const created = await send('', { method: 'POST', body: JSON.stringify(pet) });
    const id = idOf(created.body);
    deepStrictEqual(created, { status: 201, body: { id, ...pet } });
    deepStrictEqual(await send(`/${id}`), { status: 200, body: { id, ...pet } });
  }
  const refused = ['{"categoryId":1}', '{"name":"a","categoryId":1,"status":"lost"}'];
  for (const body of refused) deepStrictEqual((await send('', { method: 'POST', body })).status, 400);
  for (const query of ['?limit=101', '?status=lost']) deepStrictEqual((await send(query)).status, 400);
  deepStrictEqual((await send(`/${Number.MAX_SAFE_INTEGER}`)).status, 404);
  for (const credentials of [{}, { Authorization: 'Bearer nonsense' }]) {
    deepStrictEqual((await send('/1', { headers: credentials })).status, 401);
  }
}

/** A reviver of JSON.parse that leaves out properties that the peers lack. Array indices and the root (`''`) stay. */
const keepPetProperties = (name: string, value: unknown) =>
  /^(?:\d*|id|name|categoryId|status)$/.test(name) ? value : undefined;

const idOf = (pet: unknown) => (typeof pet === 'object' && pet !== null && 'id' in pet ? pet.id : undefined);
