import { PetStoreError } from './pet-store-error.ts';

/**
 * The response is outside the contract: the HTML page of a proxy, an empty or malformed body, a redirect. The
 * message never quotes the body, which could contain a secret.
 */
export class UnexpectedResponseError extends PetStoreError<'unexpected_response'> {
  override readonly name = 'UnexpectedResponseError';
}
