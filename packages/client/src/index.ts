export { parseJson, stringifyJson } from '@petstore/contract/json';
export type { ApiKey } from './api-key.ts';
export type { Answer, ErrorBody, ListPetsQuery, NewPet, Operation, Pet, PetId } from './contract.ts';
export type { DeprecationNotice } from './deprecation.ts';
export {
  isNoAnswerError,
  isPetStoreError,
  isServiceError,
  isUnexpectedAnswerError,
  type NoAnswerCode,
  NoAnswerError,
  PetStoreError,
  type PetStoreErrorCode,
  ServiceError,
  UnexpectedAnswerError,
} from './errors/index.ts';
export type { Hooks, IncomingResponse, MissingAnswer, OutgoingRequest } from './hooks.ts';
export type { CallLimits, CallOptions, CreatePetOptions, Fetch, PetStoreOptions } from './options.ts';
export type { PetsQuery, PetWalk } from './pages.ts';
export { createPetStore, type PetStore } from './pet-store.ts';
export type { Failure } from './safe.ts';
export type { Success } from './success.ts';
