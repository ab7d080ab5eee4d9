import type { ListPetsQuery, NewPet, Operation, PetId } from './contract.ts';
import { explainStoreOptions, withDiagnostics } from './diagnostics/with-diagnostics.ts';
import type { CallOptions, CreatePetOptions, PetStoreOptions } from './options.ts';
import { type PetPaginator, type PetsQuery, paginate } from './paginate.ts';
import { createRequestBuilders, type OperationRequest } from './requests/request-builders.ts';
import { type SafeResults, settle } from './responses/safe.ts';
import { expectSuccess, type SuccessBodies, type SuccessResponses, toPage } from './responses/success.ts';
import { createSender } from './transport/send-with-retries.ts';

/** The operations of the interface, each with what it resolves to. */
interface Operations<Results extends Record<Operation, unknown>> {
  /** Lists one page of pets (interface: listPets). */
  listPets(query?: ListPetsQuery, options?: CallOptions): Promise<Results['listPets']>;
  /** Adds a pet; the service assigns its id (interface: createPet). Retries add it only once. */
  createPet(pet: NewPet, options?: CreatePetOptions): Promise<Results['createPet']>;
  /**
   * Fetches one pet (interface: getPet).
   *
   * @deprecated To be removed on 5 December 2030: use `listPets` with a `status` instead.
   */
  getPet(petId: PetId, options?: CallOptions): Promise<Results['getPet']>;
}

/** Does not compile while the contract has an operation that `Operations` lacks. */
type Complete<All extends Record<Operation, unknown>> = All;

/** A client of the pet store. Its operations resolve to the body of a success and throw a PetStoreError otherwise. */
export interface PetStore extends Complete<Operations<SuccessBodies>> {
  /** Iterates over the pets of all pages: `for await (const pet of store.pets({ status: 'available' }))`. */
  pets(query?: PetsQuery, options?: CallOptions): PetPaginator;
  /** The same operations, which resolve to `body`, `status`, `headers` and `requestId`; listPets to `next` too. */
  withResponse: Operations<SuccessResponses>;
  /** The same operations, which resolve to every response of the contract: `switch` over `status`. */
  safe: Operations<SafeResults>;
}

const HTTP_URL = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;

/**
 * Creates a client of the pet store at a base address.
 *
 * @throws TypeError when `baseUrl` is not an HTTP URL or contains a password, or when `apiKey` cannot be
 *   sent in a header
 */
export function createPetStore(options: PetStoreOptions): PetStore {
  explainStoreOptions(options);
  const { baseUrl, ...connection } = withDiagnostics(options);
  // The message does not quote the value: it may be a key in the wrong place.
  if (!HTTP_URL.test(baseUrl)) throw new TypeError('baseUrl is malformed');
  const requests = createRequestBuilders(baseUrl);
  const send = createSender(connection);
  const succeed = async <Name extends Operation>(request: OperationRequest<Name>, options?: CallOptions) =>
    expectSuccess(request, await send(request, options));

  const withResponse: Operations<SuccessResponses> = {
    listPets: async (query, options) => toPage(await succeed(requests.listPets(query), options)),
    createPet: async (pet, options) => succeed(requests.createPet(pet, options), options),
    getPet: async (petId, options) => succeed(requests.getPet(petId), options),
  };

  return {
    listPets: async (query, options) => (await succeed(requests.listPets(query), options)).body,
    createPet: async (pet, options) => (await withResponse.createPet(pet, options)).body,
    getPet: async (petId, options) => (await withResponse.getPet(petId, options)).body,

    pets: (query = {}, options) => paginate(withResponse.listPets, query, options),

    withResponse,

    safe: {
      listPets: async (query, options) => settle(send(requests.listPets(query), options)),
      createPet: async (pet, options) => settle(send(requests.createPet(pet, options), options)),
      getPet: async (petId, options) => settle(send(requests.getPet(petId), options)),
    },
  };
}
