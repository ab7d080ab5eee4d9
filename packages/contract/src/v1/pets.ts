import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { ErrorBody } from '../error.ts';
import type { Deprecation } from '../headers/deprecation.ts';
import { IdempotencyKey } from '../headers/idempotency-key.ts';
import type { RouteMetadata } from '../version.ts';
import { decodeCursor } from './cursor.ts';
import { fromDigits, fromText, idParameter } from './parameters.ts';
import { NewPet, Pet, PetStatus, Pets, pageSize } from './pet.ts';

const c = initContract();

const Limit = z
  .preprocess(
    fromText<number>(fromDigits),
    z
      .int('must be an integer, in digits')
      .min(pageSize.minimum, `must be at least ${pageSize.minimum}`)
      .max(pageSize.maximum, `must be at most ${pageSize.maximum}`),
  )
  .default(pageSize.default)
  .meta({
    override: { type: 'integer', ...pageSize },
    param: { description: 'Maximum number of pets to return', example: pageSize.default },
  });

const Status = z
  .preprocess(
    fromText<PetStatus>((text) => text),
    PetStatus,
  )
  .optional()
  .meta({
    param: { description: 'Filter by availability status', example: 'available' },
  });

const CursorParameter = z
  .string('must be given once')
  .transform((text, context) => {
    const cursor = decodeCursor(text);
    if (cursor === undefined) context.addIssue('must be the cursor of a next link');
    return cursor ?? z.NEVER;
  })
  .optional()
  .meta({
    override: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    // Without an example: a documentation page would send it beside whatever status its reader picks.
    param: { description: 'Where the page begins. Opaque: take it from the `next` link of the page before' },
  });

/** The query of listPets. A cursor carries the status filter that it was made with. */
export const ListPetsQuery = z
  .object({
    limit: Limit,
    status: Status,
    cursor: CursorParameter,
  })
  .refine(({ status, cursor }) => !cursor || !status || status === cursor.status, {
    path: ['status'],
    error: 'must be the status that the cursor was made with',
  });

const PetId = idParameter('Identifier of the pet');

const IdempotencyKeyHeader = IdempotencyKey.optional().meta({
  param: {
    description:
      'Makes repeating the request safe: the same key with the same body gives the first response again for ' +
      'at least 24 hours. A UUID for example, bare or as a quoted structured-field string',
    // Without an example: a documentation page would send the same key for every pet.
  },
});

/** getPet is deprecated and is to be removed on 5 December 2030 (interface: getPet, Versioning). */
export const getPetDeprecation: Deprecation = {
  // The interface gives no date for the beginning; we chose five years before the removal.
  since: new Date('2025-12-05T00:00:00Z'),
  sunset: new Date('2030-12-05T00:00:00Z'),
  successor: '/pets',
};

/** The operations on pets. */
export const pets = c.router({
  listPets: {
    method: 'GET',
    path: '/pets',
    summary: 'List pets',
    description:
      'Returns a page of pets, ordered by id. While there are more, the response has a Link with rel="next".',
    query: ListPetsQuery,
    responses: { 200: Pets, 304: c.noBody(), 412: ErrorBody },
    metadata: {
      scope: 'read',
      errorCodes: ['invalid_parameter', 'precondition_failed'],
      responseHeaders: { 200: ['ETag', 'Link'], 304: ['ETag', 'Link'] },
    } satisfies RouteMetadata,
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    summary: 'Add a pet',
    description: 'Adds a new pet. With an Idempotency-Key the request can be repeated safely.',
    headers: z.object({ 'idempotency-key': IdempotencyKeyHeader }),
    contentType: 'application/json',
    body: NewPet,
    responses: {
      201: Pet,
      403: ErrorBody,
      409: ErrorBody,
      413: ErrorBody,
      415: ErrorBody,
      422: ErrorBody,
    },
    metadata: {
      scope: 'write',
      errorCodes: [
        'insufficient_scope',
        'invalid_idempotency_key',
        'malformed_json',
        'invalid_body',
        'idempotency_key_in_flight',
        'body_too_large',
        'unsupported_media_type',
        'idempotency_key_reused',
        'ids_exhausted',
      ],
      successes: { 201: 'Pet added; id is assigned by the service' },
      responseHeaders: { 201: ['Location', 'Idempotency-Replayed'], 409: ['Retry-After'] },
    } satisfies RouteMetadata,
  },
  getPet: {
    method: 'GET',
    path: '/pets/:petId',
    summary: 'Fetch one pet',
    description:
      'Returns one pet by identifier. Deprecated, and to be removed on 5 December 2030: use `GET /pets` with a ' +
      '`status` filter instead.',
    deprecated: true,
    pathParams: z.object({ petId: PetId }),
    responses: { 200: Pet, 304: c.noBody(), 404: ErrorBody, 412: ErrorBody },
    metadata: {
      scope: 'read',
      deprecation: getPetDeprecation,
      errorCodes: ['pet_not_found', 'precondition_failed'],
      responseHeaders: { 200: ['ETag'], 304: ['ETag'] },
    } satisfies RouteMetadata,
  },
});
