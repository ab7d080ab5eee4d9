import type { Arguments, CallOptions, CreateOptions } from './call-options.ts';
import { createOperations, type Operation, type Operations } from './contract.ts';
import { checkStoreOptions } from './diagnostics/check-options.ts';
import { withDiagnostics } from './diagnostics/with-diagnostics.ts';
import { isPetStoreError } from './errors.ts';
import type { PetStoreOptions } from './options.ts';
import { type PetPaginator, type PetsQuery, paginate } from './paginate.ts';
import { buildRequest } from './requests/build-request.ts';
import type { Failure, PetStoreResponses } from './responses/response.ts';
import { expectSuccess, type SuccessBodies, type SuccessResponses } from './responses/success.ts';
import { createSender } from './transport/send-with-retries.ts';

/** A client of the pet store. Its operations resolve to the body of a success or throw a PetStoreError. */
export interface PetStore extends Operations<SuccessBodies> {
  /** Iterates over the pets of all pages: `for await (const pet of store.pets({ status: 'available' }))`. */
  pets(query?: PetsQuery, options?: CallOptions): PetPaginator;
  /** The same operations with `body`, `status`, `headers` and `requestId`; listPets also has `next`. */
  withResponse: Operations<SuccessResponses>;
  /** The same operations, which resolve to any response or to a Failure: `switch` over `status`. */
  safe: Operations<PetStoreResponses, Failure>;
}

/**
 * Creates a client of the pet store at a base URL.
 * @throws TypeError when an option cannot work
 */
export function createPetStore(options: PetStoreOptions): PetStore {
  checkStoreOptions(options);
  const { baseUrl, ...connection } = withDiagnostics(options);
  const send = createSender(connection);

  // Asynchronous, so that a wrong argument rejects the promise.
  const succeed = async <Name extends Operation>(
    operation: Name,
    given: Arguments,
    callOptions?: CreateOptions,
  ): Promise<SuccessResponses[Name]> => {
    const request = buildRequest(baseUrl, operation, given, callOptions);
    return expectSuccess(request, await send(request, callOptions));
  };
  const withResponse = createOperations<SuccessResponses>(succeed);

  return {
    ...createOperations<SuccessBodies>(async (...call) => (await succeed(...call)).body),
    pets: (query, callOptions) => paginate((page) => withResponse.listPets(page, callOptions), query),
    withResponse,
    safe: createOperations<PetStoreResponses, Failure>(async (operation, given, callOptions) =>
      settle(send(buildRequest(baseUrl, operation, given, callOptions), callOptions)),
    ),
  };
}

/** Turns a PetStoreError into a value. Other errors are bugs in a program and are thrown. */
async function settle<Result>(call: Promise<Result>): Promise<Result | Failure> {
  try {
    return await call;
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return { status: 'failed', error, requestId: error.requestId };
  }
}
