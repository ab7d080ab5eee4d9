import { stringifyJson } from '@petstore/contract/json';
import { addressOf } from './address.ts';
import type { Answer, ListPetsQuery, NewPet, PetId, Routes } from './contract.ts';
import { routes } from './routes.ts';
import type { Send } from './send.ts';

export interface CreatePetOptions {
  /**
   * Makes repeating the call safe: with the same key and the same animal it is added once
   * (1 to 255 visible ASCII characters, remembered for at least 24 hours).
   */
  idempotencyKey?: string;
}

/**
 * The operations with the contract's whole union of answers: `switch` over `status` to take each apart.
 * They throw a PetStoreError only when nothing came back that the contract knows.
 */
export interface SafePetStore {
  /** Lists animals: one page of them (interface: listPets). */
  listPets(query?: ListPetsQuery): Promise<Answer<'listPets'>>;
  /** Adds an animal; the service assigns its id (interface: createPet). */
  createPet(pet: NewPet, options?: CreatePetOptions): Promise<Answer<'createPet'>>;
  /**
   * Fetches one animal (interface: getPet).
   *
   * @deprecated To be removed on 5 December 2030: use `listPets` with a `status` instead.
   */
  getPet(petId: PetId): Promise<Answer<'getPet'>>;
}

const IDEMPOTENCY_KEY = 'idempotency-key' satisfies keyof Routes['createPet']['headers'];

export function createSafePetStore(baseUrl: string, send: Send): SafePetStore {
  return {
    listPets: async (query = {}) => send('listPets', addressOf(baseUrl, routes.listPets.path, { query })),

    createPet: async (pet, { idempotencyKey } = {}) =>
      send('createPet', addressOf(baseUrl, routes.createPet.path), {
        ...(idempotencyKey !== undefined && { headers: { [IDEMPOTENCY_KEY]: idempotencyKey } }),
        body: stringifyJson(pet),
      }),

    getPet: async (petId) => send('getPet', addressOf(baseUrl, routes.getPet.path, { params: { petId } })),
  };
}
