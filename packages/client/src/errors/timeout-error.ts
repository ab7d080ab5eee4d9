import { PetStoreError } from './pet-store-error.ts';

/**
 * No whole response was received within `attemptTimeoutMs` or `timeoutMs`. The service may have done the work:
 * repeat a createPet only with the error's `idempotencyKey`.
 */
export class TimeoutError extends PetStoreError<'timeout', undefined> {
  override readonly name = 'TimeoutError';
}
