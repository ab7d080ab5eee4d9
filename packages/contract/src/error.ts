import { z } from 'zod';
import { sizeLimits } from './size-limits.ts';

const kibibytes = (bytes: number) => `${bytes / 1024} KiB`;

/**
 * Every code that an Error body can carry, with its HTTP status: the closed set that the server, the
 * client's types, the OpenAPI document and the docs page all read.
 */
export const errorCodes = {
  malformed_request: { status: 400, description: 'The request is not valid HTTP' },
  invalid_parameter: { status: 400, description: 'A query parameter has a value that is not allowed' },
  invalid_idempotency_key: {
    status: 400,
    description: 'The Idempotency-Key is not 1 to 255 visible characters',
  },
  malformed_json: { status: 400, description: 'The body is not well-formed JSON in UTF-8' },
  invalid_body: { status: 400, description: 'The body lacks a required member or has an invalid value' },
  missing_api_key: { status: 401, description: 'No API key was sent' },
  invalid_api_key: { status: 401, description: 'The API key is unknown or revoked' },
  pet_not_found: { status: 404, description: 'No animal has this id' },
  path_not_found: { status: 404, description: 'Nothing is at this path' },
  method_not_allowed: { status: 405, description: 'The path does not take this method' },
  request_timeout: { status: 408, description: 'The request did not arrive in time' },
  idempotency_key_in_flight: {
    status: 409,
    // A service may also let the second request wait for the answer of the first, as ours does.
    description: 'A request with this Idempotency-Key is being processed',
  },
  precondition_failed: {
    status: 412,
    description: 'The If-Match header names no current representation',
  },
  body_too_large: { status: 413, description: `The body exceeds ${kibibytes(sizeLimits.body)}` },
  unsupported_media_type: { status: 415, description: 'The body is not plain application/json' },
  expectation_failed: {
    status: 417,
    description: 'The Expect header asks for something other than 100-continue',
  },
  idempotency_key_reused: {
    status: 422,
    description: 'This Idempotency-Key was used with another body before',
  },
  headers_too_large: {
    status: 431,
    description: `The request line and header fields exceed ${kibibytes(sizeLimits.head)}`,
  },
  internal_error: { status: 500, description: 'The service failed; the request id leads to its log' },
  method_not_implemented: { status: 501, description: 'The service does not implement this method' },
  overloaded: { status: 503, description: 'More requests arrive than can be served' },
  database_unavailable: { status: 503, description: 'The database cannot answer at the moment' },
  stopping: { status: 503, description: 'This server is shutting down' },
} as const satisfies Record<string, { status: number; description: string }>;

const isCode = (text: string): text is keyof typeof errorCodes => Object.hasOwn(errorCodes, text);

/** A machine-readable error code: a key of {@link errorCodes}. */
export const ErrorCode = z
  .enum(Object.keys(errorCodes).filter(isCode))
  .meta({ id: 'ErrorCode', description: 'Machine-readable error code' });
export type ErrorCode = z.infer<typeof ErrorCode>;

/** The HTTP status that a code stands for. A literal code gives a literal type: `statusOf('pet_not_found')` is `404`. */
export function statusOf<Code extends ErrorCode>(code: Code): (typeof errorCodes)[Code]['status'] {
  return errorCodes[code].status;
}

/** The body of every error response (interface: Error; the name avoids JavaScript's global). */
export const ErrorBody = z
  .object({
    code: ErrorCode,
    message: z.string().meta({ description: 'Human-readable description' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status code' }),
  })
  .meta({
    id: 'Error',
    description: 'The body of every error response',
    example: { code: 'pet_not_found', message: 'No animal has the id 42.', status: 404 },
  });
export type ErrorBody = z.infer<typeof ErrorBody>;
