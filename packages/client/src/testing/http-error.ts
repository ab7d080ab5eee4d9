import { type ErrorCode, errorCodes } from '@petstore/contract';

/** A request that the store refuses. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string> = {}) {
    super(`${errorCodes[code].description}.`);
    this.code = code;
    this.headers = headers;
  }
}
