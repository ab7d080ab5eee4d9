import { type ErrorBody, type ErrorCode, errorCodes } from '@petstore/contract';

/** An answer that is an error: a code of the contract's table, a message for people, header fields. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail what was wrong with this request; the table's description when left out */
  constructor(code: ErrorCode, detail?: string, headers: Record<string, string> = {}) {
    super(detail ?? `${errorCodes[code].description}.`);
    this.code = code;
    this.status = errorCodes[code].status;
    this.headers = this.status === 503 ? { 'Retry-After': '1', ...headers } : headers;
  }

  /** The Error body (interface: Errors). */
  toBody(): ErrorBody {
    return { code: this.code, message: this.message, status: this.status };
  }
}
