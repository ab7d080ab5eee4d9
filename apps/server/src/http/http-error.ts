import { type ErrorCode, errorCodes, type StatusOf, statusOf } from '@petstore/contract';

const describe = (code: ErrorCode) => `${errorCodes[code].description}.`;

/**
 * Creates the error response of a handler: `return refuse('pet_not_found')`. TypeScript accepts only codes that the
 * operation states.
 * @param message what was wrong with this request
 */
export function refuse<Code extends ErrorCode>(code: Code, message = describe(code)) {
  const status: StatusOf<Code> = statusOf(code);
  return { status, body: { code, message, status } };
}

/** An error of the contract as an exception. `handleErrors` sends it as the response. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message what was wrong with this request */
  constructor(code: ErrorCode, message = describe(code), headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.status = statusOf(code);
    this.headers = headers;
  }
}

/** 405 with `Allow` (RFC 9110, 15.5.6). */
export function methodNotAllowed(method: string | undefined, allowed: readonly string[]): HttpError {
  const list = allowed.join(', ');
  return new HttpError('method_not_allowed', `${method} is not allowed here, only ${list}.`, { Allow: list });
}
