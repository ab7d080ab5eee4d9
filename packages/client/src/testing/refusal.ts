import { type ErrorCode, errorCodes } from '@petstore/contract';
import { json } from './response.ts';

/** A refusal on its way to the one place that makes an answer of it. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string> = {}) {
    super(errorCodes[code].description);
    this.code = code;
    this.headers = headers;
  }

  /** The Error body that the service answers with. */
  toResponse(): Response {
    const { code, message, headers } = this;
    const { status } = errorCodes[code];
    return json(status, JSON.stringify({ code, message, status }), headers);
  }
}
