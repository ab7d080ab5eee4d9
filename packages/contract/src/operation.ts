import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import { codesOf, type ErrorCode, type ErrorResponses, errors } from './error.ts';
import type { Deprecation } from './headers/deprecation.ts';
import type { ResponseHeader } from './headers/response-headers.ts';

/** The scopes of API keys. A key with the scope `write` may also read. */
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

/** The facts of an operation beyond ts-rest's own properties. */
export interface RouteMetadata {
  /** The scope that the API key must have. */
  scope: Scope;
  /** Absent for a stable operation; `x-stability` in the OpenAPI document. */
  stability?: 'experimental' | 'beta';
  deprecation?: Deprecation;
  /** Descriptions of the successful responses, by status. @default `Success` */
  successes?: Partial<Record<number, string>>;
  /** The response headers that the handler sets, by status. */
  responseHeaders?: Partial<Record<number, readonly ResponseHeader[]>>;
}

export type Route = AppRoute & { metadata: RouteMetadata };

/** The error codes that follow from a part of an operation. */
const impliedCodes = {
  request: [
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
  ],
  writeScope: ['insufficient_scope'],
  query: ['invalid_parameter'],
  idempotencyKey: ['invalid_idempotency_key', 'idempotency_key_in_flight', 'idempotency_key_reused'],
  body: ['malformed_json', 'invalid_body', 'body_too_large', 'unsupported_media_type'],
  entityTag: ['precondition_failed'],
} as const satisfies Record<string, readonly ErrorCode[]>;

type Implied<Part extends keyof typeof impliedCodes> = (typeof impliedCodes)[Part][number];

type ImpliedCode<Given extends Route> =
  | Implied<'request'>
  | (Given extends { metadata: { scope: 'write' } } ? Implied<'writeScope'> : never)
  | (Given extends { query: z.core.$ZodType } ? Implied<'query'> : never)
  | (Given extends { headers: z.ZodObject<{ 'idempotency-key': z.core.$ZodType }> }
      ? Implied<'idempotencyKey'>
      : never)
  | (Given extends { body: z.core.$ZodType } ? Implied<'body'> : never)
  | (Given extends { responses: { 304: unknown } | { 428: unknown } } ? Implied<'entityTag'> : never);

function impliedCodesOf(route: Route): ErrorCode[] {
  const { metadata, query, headers, responses } = route;
  return [
    ...(metadata.scope === 'write' ? impliedCodes.writeScope : []),
    ...(query instanceof z.core.$ZodType ? impliedCodes.query : []),
    ...(headers instanceof z.ZodObject && 'idempotency-key' in headers.shape
      ? impliedCodes.idempotencyKey
      : []),
    ...('body' in route && route.body instanceof z.core.$ZodType ? impliedCodes.body : []),
    ...(304 in responses || 428 in responses ? impliedCodes.entityTag : []),
    ...impliedCodes.request,
  ];
}

/** The codes that an operation states itself. */
type StatedCode<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends z.ZodType<{ code: infer Code extends ErrorCode }>
    ? Code
    : never;
}[keyof Responses];

type AllResponses<Given extends Route> = Omit<Given['responses'], keyof ErrorResponses<ErrorCode>> &
  ErrorResponses<StatedCode<Given['responses']> | ImpliedCode<Given>>;

/** Refuses metadata of a status that the operation does not have. */
type OwnStatuses<Given extends Route> = {
  metadata: {
    [Fact in 'successes' | 'responseHeaders']?: Partial<
      Record<Exclude<keyof Given['metadata'][Fact], keyof Given['responses']>, never>
    >;
  };
};

/**
 * Adds the error responses that follow from the scope, query, body, Idempotency-Key and entity tag (a response 304 or
 * 428) to the operation's own `errors`.
 */
export function operation<const Given extends Route>(
  route: Given & OwnStatuses<Given>,
): Omit<Given, 'responses'> & { responses: AllResponses<Given> };
export function operation(route: Route) {
  const stated = Object.values(route.responses).flatMap(codesOf);
  return { ...route, responses: { ...route.responses, ...errors(...stated, ...impliedCodesOf(route)) } };
}
