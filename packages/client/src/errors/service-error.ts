import type { ErrorCode } from '@petstore/contract';
import { isPetStoreError, PetStoreError } from './pet-store-error.ts';

/** The service answered with an Error. It spoke: this is no failure of the network or of a proxy. */
export class ServiceError extends PetStoreError {
  override readonly name = 'ServiceError';
  /** The Error's code. A newer service may have more than this version knows of: keep a default branch. */
  declare readonly code: ErrorCode;
  declare readonly status: number;
}

/** Whether the service answered with an Error; works across copies of the package. */
export function isServiceError(error: unknown): error is ServiceError {
  return isPetStoreError(error) && error.name === 'ServiceError';
}
