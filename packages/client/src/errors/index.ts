export { AbortError } from './abort-error.ts';
export { type AnyPetStoreError, isPetStoreError } from './is-pet-store-error.ts';
export { NetworkError } from './network-error.ts';
export { PetStoreError, type PetStoreErrorCode } from './pet-store-error.ts';
export { ServiceError } from './service-error.ts';
export { TimeoutError } from './timeout-error.ts';
export { UnexpectedResponseError } from './unexpected-response-error.ts';
