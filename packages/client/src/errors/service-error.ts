import type { ErrorBody } from '@petstore/contract';
import { isPetStoreError, PetStoreError } from './pet-store-error.ts';

/**
 * The service answered with an Error. It spoke: this is no failure of the network or of a proxy. A newer
 * service may have more codes than this version knows of: keep a default branch.
 */
export class ServiceError extends PetStoreError<ErrorBody['code'], number> {
  override readonly name = 'ServiceError';
}

/** Whether the service answered with an Error; works across copies of the package. */
export function isServiceError(error: unknown): error is ServiceError {
  return isPetStoreError(error) && error.name === 'ServiceError';
}
