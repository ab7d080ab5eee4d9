export type { CallLimits, CallOptions, CreateOptions, FetchResponse } from './call-options.ts';
export type {
  ErrorBody,
  ErrorCode,
  ListPetsQuery,
  NewPet,
  Operation,
  Operations,
  Pet,
  PetId,
  PetStatus,
  Pets,
} from './contract.ts';
export * from './errors.ts';
export type * from './hooks.ts';
export { parseJson, stringifyJson } from './json.ts';
export type { ApiKey, Fetch, PetStoreOptions } from './options.ts';
export type { PetPaginator, PetsQuery } from './paginate.ts';
export { createPetStore, type PetStore } from './pet-store.ts';
export type { Failure, PetStoreResponse, PetStoreResponses, WithRequestId } from './responses/response.ts';
export type { NextPage, PetsPage, SuccessResponse, SuccessResponses } from './responses/success.ts';
