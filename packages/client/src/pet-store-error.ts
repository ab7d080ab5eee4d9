import type { ErrorBody, ErrorCode } from '@petstore/contract';

/** What went wrong, for programs: a code of the service, or one of this client's own two. */
export type PetStoreErrorCode = ErrorCode | 'no_answer' | 'unexpected_answer';

interface Details {
  code: PetStoreErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/**
 * The one error that a call throws. Its `code` says what went wrong:
 *
 * - a code of the service (`pet_not_found`, `invalid_api_key`, …): the service answered with an Error;
 * - `no_answer`: the request or its answer was lost on the way; `cause` says how;
 * - `unexpected_answer`: what came back is no answer of the interface, such as a proxy's HTML page.
 */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError';
  readonly code: PetStoreErrorCode;
  /** The HTTP status, unless there was no answer. */
  readonly status: number | undefined;
  /** Quote it when asking the service's operators for help: it leads to their log. */
  readonly requestId: string | undefined;

  constructor(message: string, { code, status, requestId, cause }: Details) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

interface Received {
  status: number;
  headers: Headers;
}

/** The error for an answer that is in the contract but is no success. */
export function refusal({
  status,
  headers,
  body,
}: Received & { body: ErrorBody | undefined }): PetStoreError {
  if (body === undefined) return unexpectedAnswer('There is no body', { status, headers });
  return new PetStoreError(body.message, { code: body.code, status, requestId: requestIdOf(headers) });
}

/** The error for an answer that is not the contract's. It never quotes the body, which could hold a secret. */
export function unexpectedAnswer(
  what: string,
  { status, headers }: Received,
  cause?: unknown,
): PetStoreError {
  const type = headers.get('content-type') ?? 'no content type';
  return new PetStoreError(`${what} (status ${status}, ${type})`, {
    code: 'unexpected_answer',
    status,
    requestId: requestIdOf(headers),
    cause,
  });
}

const requestIdOf = (headers: Headers) => headers.get('x-request-id') ?? undefined;
