import { type ErrorCode, errorCodes } from '@petstore/contract';

/** Thrown where the store refuses a request; the one place that catches it makes the Error body of it. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string> = {}) {
    super(`${errorCodes[code].description}.`);
    this.code = code;
    this.headers = headers;
  }
}
