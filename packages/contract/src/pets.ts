import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { getPetDeprecation } from './deprecation.ts';
import { ErrorBody } from './error.ts';
import { IdempotencyKey } from './idempotency-key.ts';
import { Int64, parseInt64 } from './int64.ts';
import { NewPet, Pet, PetStatus, Pets } from './pet.ts';
import type { RouteMetadata } from './route-metadata.ts';

const c = initContract();

/**
 * Reads a parameter that a caller passes as a value and a server receives as a text. The type that a caller
 * sees is that of the argument here, which is why it does not mention the text.
 */
const fromText =
  <Value>(read: (text: string) => unknown) =>
  (value: Value): unknown =>
    typeof value === 'string' ? read(value) : value;

const fromDigits = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);

const Limit = z
  .preprocess(
    fromText<number>(fromDigits),
    z.int('must be an integer, in digits').min(1, 'must be at least 1').max(100, 'must be at most 100'),
  )
  .default(20)
  .meta({
    description: 'Maximum number of animals to return',
    override: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    example: 20,
  });

const CursorParameter = z
  .string('must be sent once')
  .transform((text, context) => {
    const cursor = decodeCursor(text);
    if (cursor === undefined) context.addIssue('must be the cursor of a next link');
    return cursor ?? z.NEVER;
  })
  .optional()
  .meta({
    description: 'Where the page begins: opaque, taken from the `next` link of the page before',
    example: encodeCursor({ after: 20 }),
  });

/** The query of listPets. A cursor carries the status filter it was made with. */
export const ListPetsQuery = z
  .object({
    limit: Limit,
    status: PetStatus.optional().meta({ description: 'Filter by availability status', example: 'available' }),
    cursor: CursorParameter,
  })
  .refine(({ status, cursor }) => !cursor || !status || status === cursor.status, {
    path: ['status'],
    error: 'must be the status that the cursor was made with',
  });

const IdempotencyKeyHeader = IdempotencyKey.optional().meta({
  description:
    'Makes repeating the request safe: the same key with the same body gives the first answer again for ' +
    'at least 24 hours. Bare, or a quoted structured-field string.',
  example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
});

const PetId = z.preprocess(fromText<Int64>(parseInt64), Int64).meta({
  description: 'Identifier of the animal',
  override: { type: 'integer', format: 'int64' },
  example: 1,
});

export const pets = c.router({
  listPets: {
    method: 'GET',
    path: '/pets',
    summary: 'List animals',
    description:
      'Returns a page of animals, ordered by id. While there are more, the answer carries a Link with rel="next".',
    query: ListPetsQuery,
    responses: { 200: Pets, 304: c.noBody(), 400: ErrorBody, 412: ErrorBody },
    metadata: {
      errorCodes: ['invalid_parameter', 'precondition_failed'],
      responseHeaders: { 200: ['ETag', 'Link'], 304: ['ETag', 'Link'] },
    } satisfies RouteMetadata,
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    summary: 'Add an animal',
    description: 'Adds a new animal. With an Idempotency-Key the request can be repeated safely.',
    headers: z.object({ 'idempotency-key': IdempotencyKeyHeader }),
    contentType: 'application/json',
    body: NewPet,
    responses: {
      201: Pet,
      400: ErrorBody,
      409: ErrorBody,
      413: ErrorBody,
      415: ErrorBody,
      422: ErrorBody,
    },
    metadata: {
      errorCodes: [
        'invalid_idempotency_key',
        'malformed_json',
        'invalid_body',
        'idempotency_key_in_flight',
        'body_too_large',
        'unsupported_media_type',
        'idempotency_key_reused',
      ],
      responseHeaders: { 201: ['Location', 'Idempotency-Replayed'] },
    } satisfies RouteMetadata,
  },
  getPet: {
    method: 'GET',
    path: '/pets/:petId',
    summary: 'Fetch one animal',
    description: 'Returns one animal by identifier. Use listPets with a status filter instead.',
    deprecated: true,
    pathParams: z.object({ petId: PetId }),
    responses: { 200: Pet, 304: c.noBody(), 404: ErrorBody, 412: ErrorBody },
    metadata: {
      deprecation: getPetDeprecation,
      errorCodes: ['pet_not_found', 'precondition_failed'],
      responseHeaders: { 200: ['ETag'], 304: ['ETag'] },
    } satisfies RouteMetadata,
  },
});
