import { PetStoreError } from './pet-store-error.ts';

/**
 * The connection failed before a whole response was received; `cause` is the error of `fetch`. The service may
 * have done the work: repeat a createPet only with the error's `idempotencyKey`.
 */
export class NetworkError extends PetStoreError<'network_error', undefined> {
  override readonly name = 'NetworkError';
}
