import type { ErrorCode } from '../contract.ts';
import { PetStoreError } from './pet-store-error.ts';

/**
 * The service responded with an Error body. A newer service may send codes that this release does not
 * know: keep a default branch.
 */
export class ServiceError extends PetStoreError<ErrorCode, number> {
  override readonly name = 'ServiceError';
}
