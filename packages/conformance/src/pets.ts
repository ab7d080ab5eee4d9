import { NewPet, Pet, Pets, stringifyJson } from '@petstore/contract';
import * as z from 'zod/mini';
import { expect, expectStatus, jsonOf, type RawResponse } from './http/raw-response.ts';
import { type SendOptions, send } from './http/send.ts';
import type { Target } from './target.ts';

/** The Pet of a response with this status. @throws ConformanceError when it is something else */
export function petOf(response: RawResponse, status: number): Pet {
  expectStatus(response, status);
  const { data, error } = Pet.safeParse(jsonOf(response));
  expect(response, data !== undefined, `a Pet (${error?.issues.map(({ message }) => message).join('; ')})`);
  return data;
}

/** The Pets of a 200. @throws ConformanceError when it is something else */
export function petsOf(response: RawResponse): Pets {
  expectStatus(response, 200);
  const { data, error } = Pets.safeParse(jsonOf(response));
  expect(
    response,
    data !== undefined,
    `an array of Pet (${error?.issues.map(({ message }) => message).join('; ')})`,
  );
  return data;
}

/** A NewPet with values for the properties that a check does not care about. */
export function newPet(members: Partial<NewPet> = {}): NewPet {
  return { name: 'Conformance check', categoryId: 1, ...members };
}

/** The example of the contract, which has every property of a NewPet. */
export const examplePet: NewPet = NewPet.parse(z.globalRegistry.get(NewPet)?.example);

/** @throws ConformanceError unless a pet has each property of a NewPet as the other one has it */
export function expectEqual(response: RawResponse, actual: NewPet, expected: NewPet): void {
  for (const name of z.keyof(NewPet).options) {
    const [value, other] = [actual[name], expected[name]].map((property) => stringifyJson({ property }));
    expect(response, value === other, `the ${name} ${other} rather than ${value}`);
  }
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

/** Adds a pet. */
export async function addPet(target: Target, members: Partial<NewPet> = {}): Promise<Pet> {
  return petOf(await post(target, newPet(members)), 201);
}

/** Adds equal pets, ten at a time. */
export async function addPets(target: Target, count: number, members: Partial<NewPet> = {}): Promise<Pet[]> {
  const added: Pet[] = [];
  while (added.length < count) {
    const batch = Array.from({ length: Math.min(10, count - added.length) }, () => addPet(target, members));
    added.push(...(await Promise.all(batch)));
  }
  return added;
}

/** Adds pets until the store has at least this many (at most 100). */
export async function fillTo(target: Target, count: number): Promise<void> {
  const { length } = petsOf(await send(target, 'GET', `/pets?limit=${count}`));
  await addPets(target, count - length);
}

/** Fetches one pet by id. */
export async function fetchPet(target: Target, { id }: Pick<Pet, 'id'>): Promise<Pet> {
  return petOf(await send(target, 'GET', `/pets/${id}`), 200);
}

/** An id that almost certainly no pet has: a random int64. */
export function unusedId(): bigint {
  return crypto.getRandomValues(new BigInt64Array(1))[0] ?? 0n;
}
