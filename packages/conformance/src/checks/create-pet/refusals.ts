import { int64Bounds, sizeLimits, stringifyJson } from '@petstore/contract';
import { type Check, checks } from '../../check.ts';
import { expect, expectError, expectStatus } from '../../http/response.ts';
import { type SendOptions, send } from '../../http/send.ts';
import type { NewPet } from '../../interface.ts';
import { expectCount } from '../../pages.ts';
import { petOf, post, required, uniquePet } from '../../pets.ts';
import type { Target } from '../../target.ts';

/** Refused requests by their status. A careless service could add a pet for each. */
type Refusals = Record<number, SendOptions[]>;

function refusalsOfInterface(pet: NewPet): Refusals {
  const invalid = [
    ...required.filter((name) => name !== 'name').map((name) => ({ [name]: undefined })),
    { categoryId: 'x' },
    { categoryId: 5.5 },
    { categoryId: int64Bounds.maximum + 1n },
    { status: 'adopted' },
    { status: null },
  ];
  return {
    401: [null, 'Bearer no-such-key'].map((authorization) => ({ json: pet, authorization })),
    400: [
      ...invalid.map((members) => ({ json: { ...pet, ...members } })),
      { json: [pet] },
      { body: stringifyJson(pet).slice(0, -1) },
    ],
  };
}

function refusalsOfContract(pet: NewPet): Refusals {
  const text = stringifyJson(pet);
  const malformed = [`${text} x`, text.replace('{', '{"name":"x",'), text.replace('}', ',"__proto__":{}}')];
  return {
    401: [{ json: pet, authorization: 'Basic cGV0OnN0b3Jl' }],
    400: [...malformed.map((body) => ({ body })), { json: pet, headers: { 'Idempotency-Key': 'two words' } }],
    413: [{ body: text.padEnd(sizeLimits.body + 1) }],
    415: [{ body: text, headers: { 'content-type': 'text/plain' } }],
  };
}

async function expectNothingStored(target: Target, refusalsOf: (pet: NewPet) => Refusals): Promise<void> {
  const pet = uniquePet();
  for (const [status, requests] of Object.entries(refusalsOf(pet))) {
    for (const options of requests) {
      expectStatus(await send(target, 'POST', '/pets', options), Number(status));
    }
  }
  await expectCount(target, pet, 0);
}

export const refusals: Check[] = [
  ...checks('interface: createPet', {
    'A request that createPet refuses leaves no pet behind': (target) =>
      expectNothingStored(target, refusalsOfInterface),
  }),
  ...checks('decision: other failures', {
    'A request that only the contract refuses leaves no pet behind': (target) =>
      expectNothingStored(target, refusalsOfContract),
  }),
  ...checks('decision: same key, other body', {
    'A refused request leaves its Idempotency-Key to the next request': async (target) => {
      for (const refused of Object.values(refusalsOfInterface(uniquePet())).flat()) {
        const headers = { 'Idempotency-Key': crypto.randomUUID() };
        await send(target, 'POST', '/pets', { ...refused, headers });
        petOf(await post(target, uniquePet(), headers), 201);
      }
    },
    'A refused body leaves the first response to its Idempotency-Key in place': async (target) => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      const pet = uniquePet();
      const { id } = petOf(await post(target, pet, headers), 201);
      expectError(await post(target, uniquePet(), headers), 422, 'idempotency_key_reused');
      const again = await post(target, pet, headers);
      expect(again, petOf(again, 201).id === id, 'the pet of the first request', id);
    },
    'One of several concurrent bodies with one Idempotency-Key is added, and the others are refused': async (
      target,
    ) => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      const pets = Array.from({ length: 5 }, uniquePet);
      const responses = await Promise.all(pets.map((pet) => post(target, pet, headers)));
      for (const [index, response] of responses.entries()) {
        if (response.status === 409) expectError(response, 409, 'idempotency_key_in_flight');
        else if (response.status !== 201) expectError(response, 422, 'idempotency_key_reused');
        const pet = pets[index];
        if (pet !== undefined) await expectCount(target, pet, response.status === 201 ? 1 : 0);
      }
      const added = responses.filter(({ status }) => status === 201);
      for (const response of added) {
        expect(response, added.length === 1, 'one pet for one Idempotency-Key', added.length);
      }
    },
  }),
];
