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

const anySchema = z.custom<z.core.$ZodType>((value) => value instanceof z.core.$ZodType);
const anyResponse = z.custom<unknown>((value) => value !== undefined);

interface ImpliedErrors {
  pattern: z.ZodType;
  codes: readonly ErrorCode[];
}

/** An operation that matches `pattern` has these error codes. Types and values are derived from this table. */
const impliedErrors = [
  { pattern: z.object({ metadata: z.object({ scope: z.literal('write') }) }), codes: ['insufficient_scope'] },
  { pattern: z.object({ query: anySchema }), codes: ['invalid_parameter'] },
  {
    pattern: z.object({ headers: z.object({ shape: z.object({ 'idempotency-key': anySchema }) }) }),
    codes: ['invalid_idempotency_key', 'idempotency_key_in_flight', 'idempotency_key_reused'],
  },
  {
    pattern: z.object({ body: anySchema }),
    codes: ['malformed_json', 'invalid_body', 'body_too_large', 'unsupported_media_type'],
  },
  // An operation with an entity tag responds 304, and an operation that requires If-Match responds 428.
  { pattern: z.object({ responses: z.object({ 304: anyResponse }) }), codes: ['precondition_failed'] },
  { pattern: z.object({ responses: z.object({ 428: anyResponse }) }), codes: ['precondition_failed'] },
  {
    pattern: z.unknown(),
    codes: [
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
  },
] as const satisfies readonly ImpliedErrors[];

/** The codes of the rows that an operation matches. `Row extends unknown` checks each row on its own. */
type ImpliedCode<
  Given extends Route,
  Row extends ImpliedErrors = (typeof impliedErrors)[number],
> = Row extends unknown ? (Given extends z.infer<Row['pattern']> ? Row['codes'][number] : never) : never;

const impliedCodesOf = (route: Route): ErrorCode[] =>
  impliedErrors.flatMap(({ pattern, codes }) => (pattern.safeParse(route).success ? codes : []));

/** The codes that an operation states itself. */
type StatedCode<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends z.ZodType<
    unknown,
    { code: infer Code extends ErrorCode }
  >
    ? Code
    : never;
}[keyof Responses];

/** For each status of an error one schema, with the stated and the implied codes. */
type AllResponses<Given extends Route> = Omit<Given['responses'], keyof ErrorResponses<ErrorCode>> &
  ErrorResponses<StatedCode<Given['responses']> | ImpliedCode<Given>>;

/**
 * Adds the error responses that follow from the scope, query, body, Idempotency-Key and entity tag (a response 304 or
 * 428) to the operation's own `errors`.
 */
export function operation<const Given extends Route>(
  route: Given,
): Omit<Given, 'responses'> & { responses: AllResponses<Given> };
export function operation(route: Route) {
  const stated = Object.values(route.responses).flatMap(codesOf);
  return { ...route, responses: { ...route.responses, ...errors(...stated, ...impliedCodesOf(route)) } };
}
