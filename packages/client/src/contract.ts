// Generated from @petstore/contract by "pnpm --filter @petstore/client generate". Do not edit.

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
/** Machine-readable error code. A later release may add codes: handle one that you do not know by its status. */
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

/** The name of an operation. */
export type Operation = keyof Responses;

/** The operations that respond with pages. */
export type PaginatedOperation = 'listPets';

/** A response for each of the statuses. */
type ResponseWith<Status, Body> = Status extends number
  ? { status: Status; body: Body; headers: Headers }
  : never;

/** The responses of each operation. */
export interface Responses {
  listPets:
    | ResponseWith<200, Pets>
    | ResponseWith<304, undefined>
    | ResponseWith<400 | 401 | 408 | 412 | 417 | 429 | 431 | 500 | 503, ErrorBody>;
  createPet:
    | ResponseWith<201, Pet>
    | ResponseWith<400 | 401 | 403 | 408 | 409 | 413 | 415 | 417 | 422 | 429 | 431 | 500 | 503, ErrorBody>;
  getPet:
    | ResponseWith<200, Pet>
    | ResponseWith<304, undefined>
    | ResponseWith<400 | 401 | 404 | 408 | 412 | 417 | 429 | 431 | 500 | 503, ErrorBody>;
}

/** The operations of the interface, with the options of their calls, and what each resolves to. */
export interface Operations<
  Results extends Record<Operation, unknown>,
  Options,
  OptionsWithKey,
  Otherwise = never,
> {
  /** Returns a page of pets, ordered by id. While there are more, the response has a Link with rel="next". */
  listPets(query?: ListPetsQuery, options?: Options): Promise<Results['listPets'] | Otherwise>;
  /** Adds a new pet. With an Idempotency-Key the request can be repeated safely. */
  createPet(newPet: NewPet, options?: OptionsWithKey): Promise<Results['createPet'] | Otherwise>;
  /** @deprecated Returns one pet by identifier. Deprecated, and to be removed on 5 December 2030: use `GET /pets` with a `status` filter instead. */
  getPet(petId: PetId, options?: Options): Promise<Results['getPet'] | Otherwise>;
}

/** What a call is given beside its options: the parameters of its path by their names, its body, its query. */
export interface Arguments {
  [parameter: string]: unknown;
  body?: object;
  query?: object;
}

/** Calls an operation, whatever its results are turned into. */
export type Call<Results extends Record<Operation, unknown>, Options, Otherwise = never> = <
  Name extends Operation,
>(
  operation: Name,
  given: Arguments,
  options: Options | undefined,
) => Promise<Results[Name] | Otherwise>;

/** All operations, each of which makes this call. */
export const callsOf = <
  Results extends Record<Operation, unknown>,
  Options,
  OptionsWithKey,
  Otherwise = never,
>(
  call: Call<Results, Options | OptionsWithKey, Otherwise>,
): Operations<Results, Options, OptionsWithKey, Otherwise> => ({
  listPets: (query, options) => call('listPets', { query: query ?? {} }, options),
  createPet: (body, options) => call('createPet', { body }, options),
  getPet: (petId, options) => call('getPet', { petId }, options),
});

/** How to request each operation, whether it can be repeated, and the statuses of each body that it responds with. */
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

/** The type of each property of a body, or the body that an array consists of. */
export const bodies = {
  Pets: 'Pet',
  Pet: { id: 'integer', name: 'string', categoryId: 'integer', status: 'string|undefined' },
  Error: { code: 'string', message: 'string', status: 'integer' },
} as const;

/** The properties that may be fractions. All other numbers are integers. */
export const fractions: readonly string[] = [];
