import { isPetStoreError, PetStoreError } from './pet-store-error.ts';

/**
 * What came back is no answer of the interface: a proxy's HTML page, an empty or malformed body, a
 * redirect. It never quotes the body, which could hold a secret.
 */
export class UnexpectedAnswerError extends PetStoreError<'unexpected_answer'> {
  override readonly name = 'UnexpectedAnswerError';
}

/** Whether something other than the interface answered; works across copies of the package. */
export function isUnexpectedAnswerError(error: unknown): error is UnexpectedAnswerError {
  return isPetStoreError(error) && error.name === 'UnexpectedAnswerError';
}
