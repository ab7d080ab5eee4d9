import { stringifyJson } from '@petstore/contract';
import * as z from 'zod';
import { bodyOf, expectStatus, fail, type RawResponse } from '../http/response.ts';
import { send } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import { NewPet, Pet, Pets } from '../interface.ts';

/** @throws ConformanceError unless the response has the status and a Pet */
export function petOf(response: RawResponse, status: number): Pet {
  return bodyOf(expectStatus(response, status), Pet, 'a Pet');
}

/** @throws ConformanceError unless the response is a 200 with Pets */
export function petsOf(response: RawResponse): Pets {
  return bodyOf(expectStatus(response, 200), Pets, 'an array of Pet');
}

/** The example of the contract, which has every property of a NewPet. */
export const examplePet: NewPet = NewPet.parse(z.globalRegistry.get(NewPet)?.example);

const properties = NewPet.keyof().options;

export const required = properties.filter((name) => !NewPet.shape[name].safeParse(undefined).success);

export const optional = properties.filter((name) => !required.includes(name));

export const defaultOf = (name: keyof NewPet): unknown => NewPet.shape[name].safeParse(undefined).data;

const minimalPet = NewPet.parse(Object.fromEntries(required.map((name) => [name, examplePet[name]])));

/** A NewPet with values for the properties that a check does not care about. */
export function newPet(members: Partial<NewPet> = {}): NewPet {
  return { ...minimalPet, name: 'Conformance check', categoryId: 1, ...members };
}

/** @throws ConformanceError unless the pet has the expected values; `undefined` means that the property is absent */
export function expectMembers(response: RawResponse, pet: Pet, expected: Partial<Pet>): void {
  for (const name of Pet.keyof().options) {
    if (!(name in expected)) continue;
    const actual = stringifyJson({ [name]: pet[name] });
    const wanted = stringifyJson({ [name]: expected[name] });
    if (actual === wanted) continue;
    // The report groups equal findings. Each wrong property of a 201 has its own cause, but all differences in later
    // responses have one: the pet has changed.
    const finding = response.status === 201 ? `the ${name} that was sent` : 'the same pet as before';
    fail(response, finding, `: ${wanted} rather than ${actual}`);
  }
}

export function post(target: Target, body: string | NewPet, headers: Record<string, string> = {}) {
  const content = typeof body === 'string' ? { body } : { json: body };
  return send(target, 'POST', '/pets', { headers, ...content });
}

/** Adds the pet of a body. @throws ConformanceError unless the response has the expected properties */
async function addBody(target: Target, body: string | NewPet, expected: Partial<NewPet>): Promise<Pet> {
  const response = await post(target, body);
  const pet = petOf(response, 201);
  expectMembers(response, pet, expected);
  return pet;
}

/** Adds a pet. @throws ConformanceError unless the response has these properties */
export const addPet = (target: Target, members: Partial<NewPet> = {}): Promise<Pet> =>
  addBody(target, newPet(members), members);

/** Adds pets until the store has at least this many (at most 100). */
export async function fillTo(target: Target, count: number): Promise<void> {
  const { length } = petsOf(await send(target, 'GET', `/pets?limit=${count}`));
  // One after another: a small server may take one connection at a time.
  for (let missing = count - length; missing > 0; missing -= 1) await addPet(target);
}

/** Fetches a pet. @throws ConformanceError unless it has these properties */
export async function expectFetched(target: Target, expected: Partial<Pet> & Pick<Pet, 'id'>): Promise<void> {
  const response = await send(target, 'GET', `/pets/${expected.id}`);
  expectMembers(response, petOf(response, 200), expected);
}

/** Like `addPet`, but also fetches the pet. @throws ConformanceError unless both responses have the properties */
export const addAndFetch = (target: Target, members: Partial<NewPet>): Promise<Pet> =>
  addBodyAndFetch(target, newPet(members), members);

/** Adds the pet of a body, and fetches it. @throws ConformanceError unless both responses have the expected properties */
export async function addBodyAndFetch(
  target: Target,
  body: string | NewPet,
  expected: Partial<NewPet>,
): Promise<Pet> {
  const pet = await addBody(target, body, expected);
  await expectFetched(target, { ...expected, id: pet.id });
  return pet;
}

/** An id that almost certainly no pet has: a random positive int64. */
export function unusedId(): bigint {
  const [random = 0n] = crypto.getRandomValues(new BigInt64Array(1));
  return BigInt.asUintN(63, random);
}

/** A NewPet with a unique name. Few checks add pets that are sold, so the listing with this filter is short. */
export const uniquePet = (): NewPet =>
  newPet({ name: `Conformance check ${crypto.randomUUID()}`, status: 'sold' });
