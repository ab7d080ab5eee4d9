import { ContractNoBody } from '@ts-rest/core';
import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { codesOf, ErrorBody, type ErrorCode, errorCodes } from '../error.ts';
import { type HeaderDescription, type ResponseHeader, responseHeaders } from '../headers/response-headers.ts';
import type { Route } from '../operation.ts';
import { sizeLimits } from '../size-limits.ts';

// No examples: documentation pages would send them with each test request.
const conditionalHeader = (description: string) => z.string().optional().meta({ param: { description } });

/** The headers of conditional requests, for operations with an entity tag. */
const conditionalHeaders = {
  'If-Match': conditionalHeader(
    'Entity tags (RFC 9110): 412 when the current representation has none of them',
  ),
  'If-None-Match': conditionalHeader(
    'Entity tags of stored responses (RFC 9110): 304 when the response would be one of them',
  ),
};

/** Errors that are returned before the route is known. */
const BEFORE_ROUTING: readonly ErrorCode[] = [
  'malformed_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
];

/** The headers that a status has on every route. */
const STATUS_HEADERS: Record<number, readonly ResponseHeader[]> = {
  304: ['ETag'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export function renderOperation(operationId: string, route: Route, tag: string): ZodOpenApiOperationObject {
  const { stability, deprecation } = route.metadata;
  return {
    operationId,
    tags: [tag],
    ...(route.summary && { summary: route.summary }),
    ...(route.description && { description: route.description }),
    ...(route.deprecated && { deprecated: true }),
    ...(deprecation && { 'x-sunset': deprecation.sunset.toISOString().slice(0, 10) }),
    ...(stability && { 'x-stability': stability }),
    requestParams: {
      ...(route.pathParams && { path: objectSchema(route.pathParams) }),
      ...(route.query && { query: objectSchema(route.query) }),
      header: headerParameters(route),
    },
    ...('body' in route &&
      route.body !== ContractNoBody && {
        requestBody: {
          required: true,
          'x-max-bytes': sizeLimits.body,
          content: { 'application/json': { schema: bodySchema(route.body) } },
        },
      }),
    responses: Object.fromEntries(
      Object.keys(route.responses).map((status) => [status, response(route, Number(status))]),
    ),
  };
}

function response(route: Route, status: number): ZodOpenApiResponseObject {
  const body = route.responses[status];
  const examples = errorExamples(route, status);
  return {
    description: describe(route, status),
    headers: headers(route, status),
    ...(body !== ContractNoBody && {
      content: { 'application/json': { schema: bodySchema(body), ...(examples && { examples }) } },
    }),
  };
}

/** The schema of a header. zod-openapi renders it once, as a component that responses refer to. */
function headerSchema(id: string, { isOptional, ...header }: HeaderDescription): z.ZodType {
  return (isOptional ? z.string().optional() : z.string()).meta({ header: { id, ...header } });
}

const allHeaders = z.object(
  Object.fromEntries(
    Object.entries(responseHeaders).map(([name, header]) => [name, headerSchema(name, header)]),
  ),
);

/** After routing, each response of a deprecated operation has Link. In other operations it is optional. */
const deprecationLinks = headerSchema('DeprecationLinks', {
  description:
    'Links (RFC 8288): `<URL>; rel="deprecation"` is the documentation, `successor-version` replaces the operation',
});

function headers({ metadata, responses }: Route, status: number): z.ZodObject {
  // A status such as 400 may have codes from before and after routing. The former lack these headers.
  const isRouted = status < 400 || codesOf(responses[status]).some((code) => !BEFORE_ROUTING.includes(code));
  const isAnnounced = metadata.deprecation !== undefined && isRouted;
  const names: ResponseHeader[] = [
    'X-Request-Id',
    'Cache-Control',
    // Only a valid key has a limit.
    ...(isRouted && status !== 401 ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(status === 200 && 304 in responses ? ['ETag' as const] : []),
    ...(STATUS_HEADERS[status] ?? []),
    ...(metadata.responseHeaders?.[status] ?? []),
    ...(isAnnounced ? (['Deprecation', 'Sunset'] as const) : []),
  ];
  const stated = allHeaders.pick(Object.fromEntries(names.map((name) => [name, true])));
  return isAnnounced ? stated.extend({ Link: deprecationLinks }) : stated;
}

function describe(route: Route, status: number): string {
  if (status < 300) return route.metadata.successes?.[status] ?? 'Success';
  if (status === 304) return 'Not modified: If-None-Match has the current entity tag';
  return codesOf(route.responses[status])
    .map((code) => `\`${code}\`: ${errorCodes[code].description}.`)
    .join('\n\n');
}

function errorExamples(route: Route, status: number) {
  const examples = codesOf(route.responses[status]).map((code): [string, { value: ErrorBody }] => [
    code,
    { value: { code, message: `${errorCodes[code].description}.`, status } },
  ]);
  return examples.length > 0 && Object.fromEntries(examples);
}

/** The document has one schema for all errors. In the contract, each status has its own. */
function bodySchema(value: unknown): z.core.$ZodType {
  if (codesOf(value).length > 0) return ErrorBody;
  if (value instanceof z.core.$ZodType) return value;
  throw new TypeError('The contract must state bodies as zod schemas');
}

function objectSchema(value: unknown): z.ZodObject {
  if (value instanceof z.ZodObject) return value;
  throw new TypeError('The contract must state parameters as zod objects');
}

function headerParameters(route: Route): z.ZodObject {
  const { shape } = objectSchema(route.headers ?? z.object({}));
  const parameters = Object.entries(shape).map(([name, value]) => [titleCase(name), value]);
  return z.object({ ...Object.fromEntries(parameters), ...(304 in route.responses && conditionalHeaders) });
}

const titleCase = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
