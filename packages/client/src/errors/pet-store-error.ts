import type { ErrorBody } from '@petstore/contract';

/** What went wrong, for programs: a code of the service, or one of this client's own. */
export type PetStoreErrorCode = ErrorBody['code'] | NoAnswerCode | 'unexpected_answer';

/** Why there was no answer: cut off or never connected, out of time, or ended by the caller's signal. */
export type NoAnswerCode = 'no_answer' | 'timeout' | 'aborted';

type Status = number | undefined;

interface ErrorDetails<OwnCode extends PetStoreErrorCode, OwnStatus extends Status> {
  code: OwnCode;
  status: OwnStatus;
  requestId?: string | undefined;
  idempotencyKey?: string | undefined;
  retryable: boolean;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

// In the registry of symbols, so that two copies of this package know each other's errors.
const BRAND: unique symbol = Symbol.for('@petstore/client/PetStoreError');

/**
 * What a call throws. It is one of three: a `ServiceError` (the service answered with an Error), a
 * `NoAnswerError`, or an `UnexpectedAnswerError` (something else answered).
 */
export class PetStoreError<
  OwnCode extends PetStoreErrorCode = PetStoreErrorCode,
  OwnStatus extends Status = Status,
> extends Error {
  override readonly name: string = 'PetStoreError';
  readonly code: OwnCode;
  /** The HTTP status, unless there was no answer. */
  readonly status: OwnStatus;
  /** Quote it when asking the service's operators for help: it leads to their log. */
  readonly requestId: string | undefined;
  /** The key that createPet was sent with: call again with it and the same animal is not added twice. */
  readonly idempotencyKey: string | undefined;
  /** Whether the same call may well succeed later. This client has already tried it again. */
  readonly retryable: boolean;
  /** How long the answer asks to wait before the same call is made again, where it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ErrorDetails<OwnCode, OwnStatus>) {
    const { code, status, requestId, idempotencyKey, retryable, retryAfterMs, cause } = details;
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }

  /** What a log in JSON shows: without it, JSON leaves the message of an error out. */
  toJSON(): object {
    return { ...this, message: this.message };
  }

  /** Marks errors of every copy of this package; see {@link isPetStoreError}. */
  get [BRAND](): true {
    return true;
  }
}

/** Whether a call of this client threw this. Unlike `instanceof` it works across copies of the package. */
export function isPetStoreError(error: unknown): error is PetStoreError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
