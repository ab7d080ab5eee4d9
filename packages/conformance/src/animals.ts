import { type NewPet, Pet, Pets } from '@petstore/contract';
import { type Answer, expect, expectStatus, jsonOf } from './answer.ts';
import { type SendOptions, send } from './send.ts';
import type { Target } from './target.ts';

/** The Pet of an answer with this status. @throws Nonconformity when it holds something else */
export function petOf(answer: Answer, status: number): Pet {
  expectStatus(answer, status);
  const { data, error } = Pet.safeParse(jsonOf(answer));
  expect(answer, data !== undefined, `a Pet (${error?.issues.map(({ message }) => message).join('; ')})`);
  return data;
}

/** The Pets of a 200. @throws Nonconformity when it holds something else */
export function petsOf(answer: Answer): Pets {
  expectStatus(answer, 200);
  const { data, error } = Pets.safeParse(jsonOf(answer));
  expect(
    answer,
    data !== undefined,
    `an array of Pet (${error?.issues.map(({ message }) => message).join('; ')})`,
  );
  return data;
}

/** A NewPet with what a check does not care about filled in. */
export function newPet(members: Partial<NewPet> = {}): NewPet {
  return { name: 'Conformance check', categoryId: 1, ...members };
}

/** Sends createPet with a body as it is. */
export function post(
  target: Target,
  body: SendOptions['body'] | NewPet,
  headers: Record<string, string> = {},
) {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
  return send(target, 'POST', '/pets', isRaw ? { body, headers } : { json: body, headers });
}

/** Adds an animal. */
export async function addPet(target: Target, members: Partial<NewPet> = {}): Promise<Pet> {
  return petOf(await post(target, newPet(members)), 201);
}

/** Adds some equal animals, ten at a time. */
export async function addPets(target: Target, count: number, members: Partial<NewPet> = {}): Promise<Pet[]> {
  const added: Pet[] = [];
  while (added.length < count) {
    const batch = Array.from({ length: Math.min(10, count - added.length) }, () => addPet(target, members));
    added.push(...(await Promise.all(batch)));
  }
  return added;
}

/** Sees to it that the store holds at least this many animals (at most 100). */
export async function fillTo(target: Target, count: number): Promise<void> {
  const { length } = petsOf(await send(target, 'GET', `/pets?limit=${count}`));
  await addPets(target, count - length);
}

/** Fetches one animal by id. */
export async function fetchPet(target: Target, { id }: Pick<Pet, 'id'>): Promise<Pet> {
  return petOf(await send(target, 'GET', `/pets/${id}`), 200);
}

/** An id that no animal has, as good as certainly: a random int64. */
export function unusedId(): bigint {
  return crypto.getRandomValues(new BigInt64Array(1))[0] ?? 0n;
}
