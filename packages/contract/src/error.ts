import * as z from 'zod';
import { sizeLimits } from './size-limits.ts';

const kibibytes = (bytes: number) => `${bytes / 1024} KiB`;

/** Every error code of this release. A later release may add codes, so receivers accept any: see {@link ErrorBody}. */
export const errorCodes = {
  malformed_request: { status: 400, description: 'The request is not valid HTTP' },
  invalid_parameter: { status: 400, description: 'A query parameter has a value that is not allowed' },
  invalid_idempotency_key: {
    status: 400,
    description: 'The Idempotency-Key is not 1 to 255 visible ASCII characters',
  },
  malformed_json: { status: 400, description: 'The body is not well-formed JSON in UTF-8' },
  invalid_body: {
    status: 400,
    description: 'The body lacks a required property, has an invalid value or is not I-JSON',
  },
  missing_api_key: { status: 401, description: 'No API key was sent' },
  invalid_api_key: { status: 401, description: 'The API key is unknown, revoked or expired' },
  insufficient_scope: { status: 403, description: 'The API key may only read' },
  pet_not_found: { status: 404, description: 'No pet has this id' },
  path_not_found: { status: 404, description: 'Nothing is at this path' },
  method_not_allowed: { status: 405, description: 'The path does not take this method' },
  request_timeout: { status: 408, description: 'The request did not arrive in time' },
  idempotency_key_in_flight: {
    status: 409,
    // A service may also let the second request wait for the first response, as ours does.
    description: 'A request with this Idempotency-Key is being processed',
  },
  precondition_failed: { status: 412, description: 'The If-Match header names no current representation' },
  body_too_large: { status: 413, description: `The body exceeds ${kibibytes(sizeLimits.body)}` },
  unsupported_media_type: {
    status: 415,
    description: 'The body is not application/json in UTF-8, or is compressed',
  },
  expectation_failed: { status: 417, description: 'The Expect header has a value other than 100-continue' },
  idempotency_key_reused: { status: 422, description: 'This Idempotency-Key was used with another body' },
  rate_limited: { status: 429, description: 'The API key has used up its requests for now' },
  headers_too_large: {
    status: 431,
    description: `The request line and headers exceed ${kibibytes(sizeLimits.head)}`,
  },
  internal_error: { status: 500, description: 'The service failed; the request id leads to its log' },
  method_not_implemented: { status: 501, description: 'The service does not implement this method' },
  overloaded: { status: 503, description: 'More requests arrive than can be served' },
  database_unavailable: { status: 503, description: 'The database cannot be used at the moment' },
  database_behind: {
    status: 503,
    description: 'The database is in an older state than before, so acknowledged writes may be missing',
  },
  ids_exhausted: { status: 503, description: 'No further id can be assigned until an operator acts' },
  stopping: { status: 503, description: 'This server is shutting down' },
} as const satisfies Record<string, { status: number; description: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** The HTTP status of a code, as a literal type: `statusOf('pet_not_found')` is `404`. */
export function statusOf<Code extends ErrorCode>(code: Code): StatusOf<Code> {
  return errorCodes[code].status;
}

export type StatusOf<Code extends ErrorCode> = (typeof errorCodes)[Code]['status'];

// `string & {}` keeps the known codes in an editor's suggestions, where plain `string` would absorb them.
type AnyErrorCode = ErrorCode | (string & {});

const Code = z
  .custom<AnyErrorCode>((value) => typeof value === 'string', { error: 'must be a string' })
  .meta({
    id: 'ErrorCode',
    description:
      'Machine-readable error code. A later release may add codes: handle an unknown code by its status.',
    override: { type: 'string', examples: Object.keys(errorCodes) },
  });

/**
 * The body of every error response (interface: Error; the name avoids JavaScript's global). Any string is a valid code,
 * so that an older client accepts the codes of a newer service.
 */
export const ErrorBody = z
  .object({
    code: Code,
    message: z.string().meta({ description: 'Human-readable description' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status code' }),
  })
  .meta({
    id: 'Error',
    description: 'The body of every error response',
    example: { code: 'pet_not_found', message: 'No pet has the id 42.', status: 404 },
  });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The Error bodies with the codes that have this status. */
type BodyOf<Code extends ErrorCode, Status> = {
  [One in Code]: StatusOf<One> extends Status ? { code: One; message: string; status: Status } : never;
}[Code];

/**
 * The responses of an operation with these codes: a schema of the Error body for each status. Its input type has these
 * codes, which a handler sends. Its output type has any code, because a client may receive those of a newer service.
 */
export type ErrorResponses<Code extends ErrorCode> = {
  [Status in StatusOf<Code>]: z.ZodType<ErrorBody & { status: Status }, BodyOf<Code, Status>>;
};

const statedCodes = z.registry<{ codes: readonly ErrorCode[] }>();

/** States the errors of an operation, among its `responses`: `{ 200: Pet, ...errors('pet_not_found') }`. */
export function errors<Code extends ErrorCode>(...codes: readonly Code[]): ErrorResponses<Code>;
export function errors(...codes: readonly ErrorCode[]) {
  const statuses = new Set(codes.map(statusOf));
  const schemas = Array.from(statuses, (status) => {
    const schema = ErrorBody.extend({ status: z.literal(status) });
    const codesOfStatus = codes.filter((code) => statusOf(code) === status);
    return [status, schema.register(statedCodes, { codes: codesOfStatus })];
  });
  return Object.fromEntries(schemas);
}

/** The codes that {@link errors} stated for a response of an operation; an empty array for any other response. */
export const codesOf = (response: unknown): readonly ErrorCode[] =>
  response instanceof z.core.$ZodType ? (statedCodes.get(response)?.codes ?? []) : [];
