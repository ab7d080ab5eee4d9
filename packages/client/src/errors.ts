import type { ErrorCode } from './contract.ts';
import { propertiesOf } from './objects.ts';

/** A code of the service, or of this client itself. */
export type PetStoreErrorCode = ErrorCode | 'network_error' | 'timeout' | 'aborted' | 'unexpected_response';

type Status = number | undefined;

interface ErrorDetails<OwnCode extends PetStoreErrorCode, OwnStatus extends Status> {
  code: OwnCode;
  status: OwnStatus;
  requestId?: string | undefined;
  idempotencyKey?: string | undefined;
  isRetryable: boolean;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

// A registered symbol, so that two copies of this package recognise each other's errors.
const BRAND: unique symbol = Symbol.for('@petstore/client/PetStoreError');

/** The base class of the errors that a call throws. */
export class PetStoreError<
  OwnCode extends PetStoreErrorCode = PetStoreErrorCode,
  OwnStatus extends Status = Status,
> extends Error {
  override readonly name: string = 'PetStoreError';
  declare readonly code: OwnCode;
  /** The HTTP status; `undefined` when there was no response. */
  declare readonly status: OwnStatus;
  /** The id of the request in the service's log: quote it to the service's operators. */
  declare readonly requestId: string | undefined;
  /**
   * The key of a createPet. Unless the service refused the pet, the pet may have been added: call again with this
   * key, and the pet is added once.
   */
  declare readonly idempotencyKey: string | undefined;
  /** Whether the same call may succeed later. The client has retried it already. */
  declare readonly isRetryable: boolean;
  /** The delay that the response asks for before the next request. */
  declare readonly retryAfterMs: number | undefined;

  constructor(message: string, { cause, ...details }: ErrorDetails<OwnCode, OwnStatus>) {
    super(message, cause === undefined ? {} : { cause });
    Object.assign(this, details);
  }

  /** `JSON.stringify` alone would leave out the message. */
  toJSON(): object {
    return { ...this, message: this.message };
  }

  get [BRAND](): true {
    return true;
  }
}

/** The service responded with an Error body. A newer service may send further codes: keep a default branch. */
export class ServiceError extends PetStoreError<ErrorCode, number> {
  override readonly name = 'ServiceError';
}

/**
 * The connection failed before a whole response was received.
 *
 * `cause` is an Error with the name, message, code and stack of the error of `fetch`, and has its causes. It is a copy,
 * from which the API key was removed.
 */
export class NetworkError extends PetStoreError<'network_error', undefined> {
  override readonly name = 'NetworkError';
}

/** No whole response was received within `attemptTimeoutMs` or `timeoutMs`. */
export class TimeoutError extends PetStoreError<'timeout', undefined> {
  override readonly name = 'TimeoutError';
}

/** The caller's signal aborted the call; `cause` is the signal's reason. */
export class AbortError extends PetStoreError<'aborted', undefined> {
  override readonly name = 'AbortError';
}

/**
 * The response is outside the contract: the HTML page of a proxy, an empty or malformed body, a redirect. The
 * message never quotes the body, which may contain a secret.
 */
export class UnexpectedResponseError extends PetStoreError<'unexpected_response'> {
  override readonly name = 'UnexpectedResponseError';
}

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
