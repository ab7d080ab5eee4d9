import { stringifyJson } from '@petstore/contract/json';
import { addressOf } from './address.ts';
import type { ListPetsQuery, NewPet, Operation, PetId } from './contract.ts';
import type { CreatePetOptions } from './options.ts';
import { routes } from './routes.ts';

/** One request of an operation, however often it is sent. */
export interface Call<Name extends Operation> {
  operation: Name;
  address: URL;
  /** Header fields of the caller's own. */
  headers?: Record<string, string>;
  /** The body as JSON, and the key that makes it safe to send again. */
  content?: { body: string; idempotencyKey: string };
}

/** Makes the calls of the operations at a base address. */
export function createCalls(baseUrl: string) {
  return {
    listPets: (query: ListPetsQuery = {}): Call<'listPets'> => ({
      operation: 'listPets',
      address: addressOf(baseUrl, routes.listPets.path, { query }),
    }),

    createPet: (pet: NewPet, { idempotencyKey = randomKey() }: CreatePetOptions = {}): Call<'createPet'> => ({
      operation: 'createPet',
      address: addressOf(baseUrl, routes.createPet.path),
      content: { body: stringifyJson(pet), idempotencyKey },
    }),

    getPet: (petId: PetId): Call<'getPet'> => ({
      operation: 'getPet',
      address: addressOf(baseUrl, routes.getPet.path, { params: { petId } }),
    }),
  } satisfies { [Name in Operation]: (...args: never[]) => Call<Name> };
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that came over plain HTTP. */
export function randomKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join('-');
}
