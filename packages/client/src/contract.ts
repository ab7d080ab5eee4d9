// Generated from @petstore/contract by "pnpm --filter @petstore/client generate". Do not edit.
import type { Arguments, CallOptions, CreateOptions } from './call-options.ts';

/** Availability status */
export type PetStatus = 'available' | 'pending' | 'sold';
/** A pet to add to the catalogue */
export interface NewPet {
  /** The pet's name, kept exactly as sent; without NUL and lone surrogates */
  name: string;
  /** Identifier of the category the pet belongs to */
  categoryId: number | bigint;
  status?: PetStatus | undefined;
}
/** A page of pets, ordered by id */
export type Pets = Pet[];
/** A pet of the catalogue */
export interface Pet {
  /** Unique identifier assigned by the service on creation */
  id: number | bigint;
  /** The pet's name, kept exactly as sent; without NUL and lone surrogates */
  name: string;
  /** Identifier of the category the pet belongs to */
  categoryId: number | bigint;
  status?: PetStatus | undefined;
}
/** The body of every error response */
export interface ErrorBody {
  code: ErrorCode;
  /** Human-readable description */
  message: string;
  /** The HTTP status code */
  status: number;
}
/** Machine-readable error code. A later release may add codes: handle an unknown code by its status. */
export type ErrorCode =
  | 'malformed_request'
  | 'invalid_parameter'
  | 'invalid_idempotency_key'
  | 'malformed_json'
  | 'invalid_body'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'insufficient_scope'
  | 'pet_not_found'
  | 'path_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'idempotency_key_in_flight'
  | 'precondition_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'method_not_implemented'
  | 'overloaded'
  | 'database_unavailable'
  | 'database_behind'
  | 'ids_exhausted'
  | 'stopping'
  | (string & {});
/** The query of listPets */
export interface ListPetsQuery {
  /** Maximum number of pets to return */
  limit?: number | undefined;
  /** Filter by availability status */
  status?: PetStatus | undefined;
  /** Where the page begins. Opaque: take it from the `next` link of the page before */
  cursor?: string | undefined;
}
/** Identifier of the pet */
export type PetId = number | bigint;

/** The bodies of responses by their names in `operations`. */
export interface Bodies {
  Pets: Pets;
  Pet: Pet;
  Error: ErrorBody;
  none: undefined;
}

/** The version prefix, with which every base URL ends (interface: Versioning). */
export const prefix = '/v1';

export type Operation = keyof typeof operations;

export type PaginatedOperation = 'listPets';

/** The operations of the interface. Each resolves to its type in `Results`; `Otherwise` is for `safe`, which never throws. */
export interface Operations<Results extends Record<Operation, unknown>, Otherwise = never> {
  /** Returns a page of pets, ordered by id. While there are more, the response has a Link with rel="next". */
  listPets(query?: ListPetsQuery, options?: CallOptions): Promise<Results['listPets'] | Otherwise>;
  /** Adds a new pet. With an Idempotency-Key the request can be repeated safely. */
  createPet(newPet: NewPet, options?: CreateOptions): Promise<Results['createPet'] | Otherwise>;
  /** @deprecated Returns one pet by identifier. Deprecated, and to be removed on 5 December 2030: use `GET /pets` with a `status` filter instead. */
  getPet(petId: PetId, options?: CallOptions): Promise<Results['getPet'] | Otherwise>;
}

/** Creates all operations from one function, which gets an operation's name and arguments. */
export const createOperations = <Results extends Record<Operation, unknown>, Otherwise = never>(
  call: <Name extends Operation>(
    operation: Name,
    given: Arguments,
    options?: CreateOptions,
  ) => Promise<Results[Name] | Otherwise>,
): Operations<Results, Otherwise> => ({
  listPets: (query = {}, options) => call('listPets', { query }, options),
  createPet: (body, options) => call('createPet', { body }, options),
  getPet: (petId, options) => call('getPet', { petId }, options),
});

/** The request of each operation, whether it can be repeated, and the statuses of each response body. */
export const operations = {
  listPets: {
    method: 'GET',
    path: '/pets',
    retry: 'always',
    statuses: { Pets: [200], none: [304], Error: [400, 401, 408, 412, 417, 429, 431, 500, 503] },
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    retry: 'with a key',
    statuses: { Pet: [201], Error: [400, 401, 403, 408, 409, 413, 415, 417, 422, 429, 431, 500, 503] },
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    retry: 'always',
    statuses: { Pet: [200], none: [304], Error: [400, 401, 404, 408, 412, 417, 429, 431, 500, 503] },
  },
} as const;

/** The type of each property of a body; for an array, the body of its items. */
export const bodies = {
  Pets: 'Pet',
  Pet: { id: 'integer', name: 'string', categoryId: 'integer', status: 'string|undefined' },
  Error: { code: 'string', message: 'string', status: 'integer' },
} as const;

/** The default of each property of a body that has one: a service of an earlier release does not send the property. */
export const defaults: Record<string, Record<string, unknown>> = {};
