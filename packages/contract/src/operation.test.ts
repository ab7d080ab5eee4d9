import { initContract } from '@ts-rest/core';
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { codesOf, type ErrorBody, errors } from './error.ts';
import { operation } from './operation.ts';
import { v1 } from './v1/v1.ts';
import type { Version } from './version.ts';

const c = initContract();
const { contract }: Version = v1;
const routes = Object.values(contract).flatMap((resource) => Object.values(resource));

test('an operation has, by status, the error codes that it states and the error codes of its parts', () => {
  const { responses } = operation({
    method: 'PUT',
    path: '/things/:id',
    query: z.object({}),
    headers: z.object({ 'idempotency-key': z.string() }),
    body: z.object({}),
    responses: { 200: z.object({}), 428: z.object({}), ...errors('pet_not_found', 'ids_exhausted') },
    metadata: { scope: 'write' },
  });

  expect(codesOf(responses[200])).toEqual([]);
  const codesOf400 = [
    'invalid_parameter',
    'invalid_idempotency_key',
    'malformed_json',
    'invalid_body',
    'malformed_request',
  ] as const;
  expect(codesOf(responses[400])).toEqual(codesOf400);
  // A handler sends these codes. A client may also receive codes of a newer service.
  expectTypeOf<z.input<(typeof responses)[400]>['code']>().toEqualTypeOf<(typeof codesOf400)[number]>();
  expectTypeOf<z.output<(typeof responses)[400]>['code']>().toEqualTypeOf<ErrorBody['code']>();
  expect(codesOf(responses[403])).toEqual(['insufficient_scope']);
  expect(codesOf(responses[404])).toEqual(['pet_not_found']);
  // 428 means that requests need If-Match, which can fail.
  expect(codesOf(responses[412])).toEqual(['precondition_failed']);
  expect(codesOf(responses[503])).toEqual(expect.arrayContaining(['ids_exhausted', 'overloaded']));
});

test('an operation without query, headers and body, for any key, has only the errors of every request', () => {
  const { responses } = operation({
    method: 'DELETE',
    path: '/things/:id',
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: { scope: 'read' },
  });
  const statuses = [204, 400, 401, 408, 417, 429, 431, 500, 503] as const;
  expect(Object.keys(responses).map(Number)).toEqual(statuses);
  expectTypeOf<keyof typeof responses>().toEqualTypeOf<(typeof statuses)[number]>();
});

// This test guards later operations: version 1 has no PUT or PATCH.
test('an operation that changes a representation with an entity tag requires If-Match', () => {
  const tagged = routes.filter(({ responses }) => 304 in responses).map(({ path }) => path);
  const changes = routes.filter(({ method, path }) => /PUT|PATCH/.test(method) && tagged.includes(path));
  expect(changes.filter(({ responses }) => !(428 in responses))).toEqual([]);
});

const textProperties = routes.flatMap((route) => {
  if (!('body' in route && route.body instanceof z.ZodObject)) return [];
  return Object.entries(route.body.shape)
    .filter(([, schema]) => z.safeParse(schema, 'any text').success)
    .map(([name, schema]) => ({ path: route.path, name, schema }));
});

test('every text property of a body refuses NUL and lone surrogates, as `text` does', () => {
  expect(textProperties).not.toEqual([]);
  for (const { path, name, schema } of textProperties) {
    const accepts = (value: string) => z.safeParse(schema, value).success;
    expect(['a\0b', 'a\ud83eb'].filter(accepts), `${path}: ${name}`).toEqual([]);
  }
});

test('the schema of an error accepts a code that a later release may add, and refuses a missing message or another status', () => {
  const { 404: schema } = errors('pet_not_found');
  expect(schema.safeParse({ code: 'toy_not_found', message: 'No toy.', status: 404 }).success).toBe(true);
  expect(schema.safeParse({ code: 'pet_not_found', status: 404 }).success).toBe(false);
  expect(schema.safeParse({ code: 'pet_not_found', message: 'No.', status: 400 }).success).toBe(false);
});
