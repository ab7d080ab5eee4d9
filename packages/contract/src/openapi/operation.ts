import { type AppRoute, ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { type ErrorBody, errorCodes } from '../error.ts';
import { type ResponseHeader, responseHeaders } from '../response-headers.ts';
import { commonErrorCodes, type RouteMetadata } from '../route-metadata.ts';

type Route = AppRoute & { metadata: RouteMetadata };

const STATUS_TEXT: Record<number, string> = {
  200: 'Success',
  201: 'Animal added; id is assigned by the service',
  304: 'Unchanged since the answer that the entity tag in If-None-Match came from',
};

/** Given before it is known which route was meant. */
const BEFORE_ROUTING = [408, 431];

// Conditional requests are decided by HTTP's own layer, so the contract has no schema for their headers.
const IfNoneMatch = z.string().optional().meta({
  description:
    'Entity tags of answers that the caller has (RFC 9110): 304 when the answer would be one of them',
  example: responseHeaders.ETag.example,
});

const IfMatch = z.string().optional().meta({
  description: 'Entity tags (RFC 9110): 412 when the response would have none of them',
  example: responseHeaders.ETag.example,
});

/** Header fields that a status carries on every route. */
const STATUS_HEADERS: Record<number, readonly ResponseHeader[]> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  503: ['Retry-After'],
};

/** Renders one route as an OpenAPI operation. */
export function operation(operationId: string, route: Route, tag: string): ZodOpenApiOperationObject {
  const { stability } = route.metadata;
  return {
    operationId,
    tags: [tag],
    ...(route.summary && { summary: route.summary }),
    ...(route.description && { description: route.description }),
    ...(route.deprecated && { deprecated: true }),
    ...(stability && { 'x-stability': stability }),
    requestParams: {
      ...(route.pathParams && { path: objectSchema(route.pathParams) }),
      ...(route.query && { query: objectSchema(route.query) }),
      header: headerParameters(route),
    },
    ...('body' in route && {
      requestBody: { required: true, content: { 'application/json': { schema: schema(route.body) } } },
    }),
    responses: responses(route),
  };
}

function responses(route: Route) {
  const statuses = Object.keys(route.responses).map(Number);
  return Object.fromEntries(statuses.map((status) => [`${status}`, response(route, status)]));
}

function response(route: Route, status: number): ZodOpenApiResponseObject {
  const names = [
    'X-Request-Id',
    'Cache-Control',
    ...(route.metadata.responseHeaders[status] ?? []),
    ...(route.metadata.deprecation && !BEFORE_ROUTING.includes(status)
      ? ['Deprecation', 'Sunset', 'Link']
      : []),
    ...(STATUS_HEADERS[status] ?? []),
  ];
  const body = route.responses[status];
  const examples = errorExamples(route, status);
  return {
    description: STATUS_TEXT[status] ?? describeErrors(route, status),
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(body !== ContractNoBody && {
      content: { 'application/json': { schema: schema(body), ...(examples && { examples }) } },
    }),
  };
}

function codesOf(route: Route, status: number) {
  const codes = [...route.metadata.errorCodes, ...commonErrorCodes];
  return codes.filter((code) => errorCodes[code].status === status);
}

const describeErrors = (route: Route, status: number) =>
  codesOf(route, status)
    .map((code) => `\`${code}\`: ${errorCodes[code].description}`)
    .join('\n\n');

function errorExamples(route: Route, status: number) {
  const examples = codesOf(route, status).map((code): [string, { value: ErrorBody }] => [
    code,
    { value: { code, message: `${errorCodes[code].description}.`, status } },
  ]);
  return examples.length > 0 && Object.fromEntries(examples);
}

function schema(value: unknown): z.ZodType {
  if (value instanceof z.ZodType) return value;
  throw new TypeError('The contract must state bodies and parameters as zod schemas');
}

function objectSchema(value: unknown): z.ZodObject {
  if (value instanceof z.ZodObject) return value;
  throw new TypeError('The contract must state parameters as zod objects');
}

function headerParameters(route: Route): z.ZodObject {
  const { shape } = objectSchema(route.headers ?? z.object({}));
  const parameters = Object.entries(shape).map(([name, value]) => [titleCase(name), value]);
  if (304 in route.responses) parameters.push(['If-None-Match', IfNoneMatch]);
  if (412 in route.responses) parameters.push(['If-Match', IfMatch]);
  return z.object(Object.fromEntries(parameters));
}

const titleCase = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
