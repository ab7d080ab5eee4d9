import { type ErrorBody, type ErrorCode, errorCodes } from '@petstore/contract';
import { jsonResponse, type Response } from './response.ts';

/** An error of the contract's table, thrown by a step or a handler to end the request with it. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: readonly string[];

  /**
   * @param detail what was wrong with this request; the table's description when left out
   * @param headers of the response, names and values in turn
   */
  constructor(code: ErrorCode, detail?: string, headers: readonly string[] = []) {
    super(detail ?? `${errorCodes[code].description}.`);
    this.code = code;
    this.status = errorCodes[code].status;
    this.headers = this.status === 503 ? ['Retry-After', '1', ...headers] : headers;
  }

  /** The response with the Error body (interface: Errors). */
  toResponse(): Response {
    const body: ErrorBody = { code: this.code, message: this.message, status: this.status };
    return jsonResponse(this.status, JSON.stringify(body), this.headers);
  }
}
