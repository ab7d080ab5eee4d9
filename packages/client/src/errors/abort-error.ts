import { PetStoreError } from './pet-store-error.ts';

/**
 * The caller's signal aborted the call; `cause` is the signal's reason. The service may have done the work:
 * repeat a createPet only with the error's `idempotencyKey`.
 */
export class AbortError extends PetStoreError<'aborted', undefined> {
  override readonly name = 'AbortError';
}
