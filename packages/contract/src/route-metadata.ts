import type { ErrorCode } from './error.ts';
import type { Deprecation } from './headers/deprecation.ts';
import type { ResponseHeader } from './headers/response-headers.ts';

/** What an API key may do. A key with the scope `write` may also read. */
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

/** What the contract says of a route beyond ts-rest's own properties. */
export interface RouteMetadata {
  /** The scope that the API key must have. */
  scope: Scope;
  /** Absent for a stable operation; `x-stability` in the OpenAPI document. */
  stability?: 'experimental' | 'beta';
  deprecation?: Deprecation;
  /** The error codes of this route, beyond {@link commonErrorCodes}. */
  errorCodes: readonly ErrorCode[];
  /** What a success means, by its status, where "Success" does not say it. */
  successes?: Partial<Record<number, string>>;
  /** The response headers of this route by status, beyond those that the status has on every route. */
  responseHeaders: Partial<Record<number, readonly ResponseHeader[]>>;
}

/** The error codes that every operation can give. */
export const commonErrorCodes = [
  'malformed_request',
  'missing_api_key',
  'invalid_api_key',
  'request_timeout',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'database_unavailable',
  'database_behind',
  'stopping',
] as const satisfies readonly ErrorCode[];
