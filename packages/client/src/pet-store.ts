import { type Call, createCalls } from './calls.ts';
import type { Operation } from './contract.ts';
import type { Operations } from './operations.ts';
import type { CallOptions, PetStoreOptions } from './options.ts';
import { type PetsQuery, type PetWalk, walkPets } from './pages.ts';
import { type SafeResults, settle } from './safe.ts';
import { createSend } from './send.ts';
import { type Bodies, expectSuccess, type Success } from './success.ts';

/** What each operation resolves to with its response: `body`, `status`, `headers` and `requestId`. */
interface Successes {
  listPets: Success<'listPets'>;
  createPet: Success<'createPet'>;
  getPet: Success<'getPet'>;
}

/** The pet store. Its operations resolve to what they are called for and throw a PetStoreError otherwise. */
export interface PetStore extends Operations<Bodies> {
  /** All animals, from page to page: `for await (const pet of store.pets({ status: 'available' }))`. */
  pets(query?: PetsQuery, options?: CallOptions): PetWalk;
  /** The same operations, with the success's `body`, `status`, `headers` and `requestId`. */
  withResponse: Operations<Successes>;
  /** The same operations, which never throw: they give every answer of the contract. `switch` over `status`. */
  safe: Operations<SafeResults>;
}

/**
 * Makes a client of the pet store at a base address.
 *
 * @throws TypeError when the base address is no HTTP URL or holds a password, or the key cannot stand in a header field.
 */
export function createPetStore({ baseUrl, ...connection }: PetStoreOptions): PetStore {
  const { protocol = '', username, password } = URL.parse(baseUrl) ?? {};
  // The value is not shown: it may be a key in the wrong place.
  if (!/^https?:$/.test(protocol) || username || password) {
    throw new TypeError('baseUrl must be an http or https address, such as https://pets.example/v1');
  }
  const calls = createCalls(baseUrl);
  const send = createSend(connection);
  const succeed = async <Name extends Operation>(call: Call<Name>, options?: CallOptions) =>
    expectSuccess(call, await send(call, options));

  return {
    listPets: async (query, options) => (await succeed(calls.listPets(query), options)).body,
    createPet: async (pet, options) => (await succeed(calls.createPet(pet, options), options)).body,
    getPet: async (petId, options) => (await succeed(calls.getPet(petId), options)).body,

    pets: ({ pageSize, maxItems = Number.POSITIVE_INFINITY, ...query } = {}, options) =>
      walkPets(succeed, calls.listPets({ ...query, limit: pageSize }), maxItems, options),

    withResponse: {
      listPets: async (query, options) => succeed(calls.listPets(query), options),
      createPet: async (pet, options) => succeed(calls.createPet(pet, options), options),
      getPet: async (petId, options) => succeed(calls.getPet(petId), options),
    },

    safe: {
      listPets: async (query, options) => settle(send(calls.listPets(query), options)),
      createPet: async (pet, options) => settle(send(calls.createPet(pet, options), options)),
      getPet: async (petId, options) => settle(send(calls.getPet(petId), options)),
    },
  };
}
