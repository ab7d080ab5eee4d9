import { stringifyJson } from '@petstore/contract/json';
import { type ListPetsQuery, type NewPet, type Operation, type PetId, routes } from '../contract.ts';
import type { CreatePetOptions } from '../options.ts';
import { checkIntegers } from './check-integers.ts';
import { randomIdempotencyKey } from './idempotency-key.ts';

/** The request of a call. It may be sent several times. */
export interface OperationRequest<Name extends Operation> {
  operation: Name;
  url: string;
  /** The body as JSON, and the key that makes it safe to send again. */
  content?: { body: string; idempotencyKey: string };
}

/**
 * Creates the functions that build the request of each operation.
 *
 * @param baseUrl the base address, which includes the version prefix (interface: Versioning)
 */
export function createRequestBuilders(baseUrl: string) {
  const base = baseUrl.replace(/\/?([?#].*)?$/, '');

  const build = <Name extends Operation>(
    operation: Name,
    query: object = {},
    petId?: PetId,
  ): OperationRequest<Name> => {
    checkIntegers({ ...query, petId });
    const parameters = Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const path = routes[operation].path.replace(':petId', encodeURIComponent(`${petId}`));
    return { operation, url: `${base}${path}?${parameters.join('&')}`.replace(/\?$/, '') };
  };

  return {
    listPets: (query?: ListPetsQuery) => build('listPets', query),

    createPet: (pet: NewPet, { idempotencyKey = randomIdempotencyKey() }: CreatePetOptions = {}) => {
      checkIntegers(pet);
      return { ...build('createPet'), content: { body: stringifyJson(pet), idempotencyKey } };
    },

    getPet: (petId: PetId) => build('getPet', {}, petId),
  } satisfies { [Name in Operation]: (...args: never[]) => OperationRequest<Name> };
}
