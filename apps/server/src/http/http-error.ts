import { type ErrorBody, type ErrorCode, errorCodes } from '@petstore/contract';

/** An error of the contract's table, thrown by a step or a handler to end the request with it. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param detail what was wrong with this request; the table's description when left out
   * @param headers of the response
   */
  constructor(code: ErrorCode, detail?: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail ?? `${errorCodes[code].description}.`);
    this.code = code;
    this.status = errorCodes[code].status;
    this.headers = this.status === 503 ? { 'Retry-After': '1', ...headers } : headers;
  }

  /** The Error body (interface: Errors), as JSON. */
  toJson(): string {
    const body: ErrorBody = { code: this.code, message: this.message, status: this.status };
    return JSON.stringify(body);
  }
}

/** The error for a method that a path does not take (RFC 9110, 15.5.6). */
export function methodNotAllowed(method: string | undefined, allowed: readonly string[]): HttpError {
  const list = allowed.join(', ');
  return new HttpError('method_not_allowed', `${method} is not allowed here, only ${list}.`, { Allow: list });
}
