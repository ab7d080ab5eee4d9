import { stringifyJson } from '@petstore/contract/json';
import { type ListPetsQuery, type NewPet, type Operation, type PetId, routes } from '../contract.ts';
import type { CreatePetOptions } from '../options.ts';
import { buildUrl } from './url.ts';

/** The request of a call. It may be sent several times. */
export interface OperationRequest<Name extends Operation> {
  operation: Name;
  url: URL;
  /** Headers of the caller's own. */
  headers?: Record<string, string>;
  /** The body as JSON, and the key that makes it safe to send again. */
  content?: { body: string; idempotencyKey: string };
}

/** Creates the functions that build the request of each operation. */
export function createRequestBuilders(baseUrl: string) {
  const build = <Name extends Operation>(
    operation: Name,
    query?: object,
    params?: { petId: PetId },
  ): OperationRequest<Name> => ({
    operation,
    url: buildUrl(baseUrl, routes[operation].path, query, params),
  });

  return {
    listPets: (query?: ListPetsQuery) => build('listPets', query),

    createPet: (pet: NewPet, { idempotencyKey = randomIdempotencyKey() }: CreatePetOptions = {}) => ({
      ...build('createPet'),
      content: { body: stringifyJson(pet), idempotencyKey },
    }),

    getPet: (petId: PetId) => build('getPet', {}, { petId }),
  } satisfies { [Name in Operation]: (...args: never[]) => OperationRequest<Name> };
}

/** 128 random bits. `crypto.randomUUID` would be shorter, but pages that came over plain HTTP lack it. */
export function randomIdempotencyKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join('-');
}
