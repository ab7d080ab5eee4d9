import { propertiesOf } from '../objects.ts';
import type { AbortError } from './abort-error.ts';
import type { NetworkError } from './network-error.ts';
import { BRAND } from './pet-store-error.ts';
import type { ServiceError } from './service-error.ts';
import type { TimeoutError } from './timeout-error.ts';
import type { UnexpectedResponseError } from './unexpected-response-error.ts';

/** Any error that a call throws: narrow it by `name` or `code`. */
export type AnyPetStoreError =
  | ServiceError
  | NetworkError
  | TimeoutError
  | AbortError
  | UnexpectedResponseError;

/**
 * Whether a call of this client threw the error. Unlike `instanceof`, it also works when an app has two copies
 * of this package.
 */
export function isPetStoreError(error: unknown): error is AnyPetStoreError {
  return BRAND in propertiesOf(error);
}
