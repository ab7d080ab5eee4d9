import type { AppRoute } from '@ts-rest/core';
import { ErrorBody, type ErrorCode, type statusOf } from './error.ts';
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

/** A route with what the contract says of it beyond ts-rest's own properties. */
export type Route = AppRoute & { metadata: RouteMetadata };

/**
 * One version of the interface: everything below its prefix. Versions share the table of error codes and the
 * notations of values; schemas and routes are each version's own.
 */
export interface Version<Resource extends string = string> {
  /** The version prefix, which every base URL includes. */
  prefix: `/v${number}`;
  /** One router for each resource; the paths of its routes begin with the prefix. */
  contract: Record<Resource, Record<string, Route>>;
  /** What each resource is, for documentation. */
  tags: Record<Resource, string>;
}

type CommonStatus = ReturnType<typeof statusOf<(typeof commonErrorCodes)[number]>>;

/** The responses that every operation of every version can give: the statuses of {@link commonErrorCodes}. */
export const commonResponses = {
  400: ErrorBody,
  401: ErrorBody,
  408: ErrorBody,
  417: ErrorBody,
  429: ErrorBody,
  431: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
} as const satisfies Record<CommonStatus, typeof ErrorBody>;
