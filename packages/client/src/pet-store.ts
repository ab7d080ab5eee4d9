import { addressOf } from './address.ts';
import type { ListPetsQuery, NewPet, Pet, PetId } from './contract.ts';
import { walkPages } from './pages.ts';
import { refusal } from './pet-store-error.ts';
import { routes } from './routes.ts';
import { type CreatePetOptions, createSafePetStore, type SafePetStore } from './safe-pet-store.ts';
import { createSend } from './send.ts';

export interface PetStoreOptions {
  /** The base address, which already includes the version prefix: `https://pets.example/v1`. */
  baseUrl: string;
  /** The API key, sent as a bearer token. */
  apiKey: string;
  /** Sends the requests; by default the runtime's own `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** The pet store. Its operations resolve to what they are called for and throw a PetStoreError otherwise. */
export interface PetStore {
  /** Lists animals: one page of them (interface: listPets). */
  listPets(query?: ListPetsQuery): Promise<Pet[]>;
  /** All animals, from page to page: `for await (const pet of store.pets({ status: 'available' }))`. */
  pets(query?: ListPetsQuery): AsyncIterable<Pet>;
  /** Adds an animal; the service assigns its id (interface: createPet). */
  createPet(pet: NewPet, options?: CreatePetOptions): Promise<Pet>;
  /**
   * Fetches one animal (interface: getPet).
   *
   * @deprecated To be removed on 5 December 2030: use `listPets` with a `status` instead.
   */
  getPet(petId: PetId): Promise<Pet>;
  /** The same operations, with every answer of the contract instead of a thrown error. */
  safe: SafePetStore;
}

/**
 * Makes a client of the pet store at a base address.
 *
 * @throws TypeError when the base address is no URL, or the key cannot stand in a header field.
 */
export function createPetStore({ baseUrl, apiKey, fetch = globalThis.fetch }: PetStoreOptions): PetStore {
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl must be an absolute URL: ${baseUrl}`);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey must be visible ASCII characters');
  const send = createSend({ apiKey, fetch });
  const safe = createSafePetStore(baseUrl, send);

  return {
    safe,

    pets: (query = {}) => walkPages(send, addressOf(baseUrl, routes.listPets.path, { query })),

    async listPets(query) {
      const answer = await safe.listPets(query);
      if (answer.status !== 200) throw refusal(answer);
      return answer.body;
    },

    async createPet(pet, options) {
      const answer = await safe.createPet(pet, options);
      if (answer.status !== 201) throw refusal(answer);
      return answer.body;
    },

    async getPet(petId) {
      const answer = await safe.getPet(petId);
      if (answer.status !== 200) throw refusal(answer);
      return answer.body;
    },
  };
}
