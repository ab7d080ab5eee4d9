import { type ErrorCode, errorCodes, statusOf } from '@petstore/contract';
import { json } from './response.ts';

/** Thrown where the store refuses a request; the one place that catches it makes the Error body of it. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string> = {}) {
    super(`${errorCodes[code].description}.`);
    this.code = code;
    this.headers = headers;
  }

  toResponse(): Response {
    const { code, message, headers } = this;
    const status = statusOf(code);
    return json(status, JSON.stringify({ code, message, status }), headers);
  }
}
