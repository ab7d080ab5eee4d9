import { isPetStoreError, type NoAnswerCode, PetStoreError } from './pet-store-error.ts';

/**
 * No whole answer came; `cause` says how. The service may have done the work all the same: repeat a
 * createPet only with the error's `idempotencyKey`.
 */
export class NoAnswerError extends PetStoreError<NoAnswerCode, undefined> {
  override readonly name = 'NoAnswerError';
}

/** Whether a call got no answer; works across copies of the package. */
export function isNoAnswerError(error: unknown): error is NoAnswerError {
  return isPetStoreError(error) && error.name === 'NoAnswerError';
}
