import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { errors } from '../error.ts';
import type { Deprecation } from '../headers/deprecation.ts';
import { IdempotencyKeyHeader } from '../headers/idempotency-key.ts';
import { operation } from '../operation.ts';
import { idParameter, parseDigits, readParameter } from '../values.ts';
import { decodeCursor } from './cursor.ts';
import { NewPet, Pet, PetStatus, Pets, pageSize } from './pet.ts';

const c = initContract();

const Limit = z
  .preprocess(
    readParameter<number>(parseDigits),
    z
      .int({ error: `must be ${pageSize.minimum} to ${pageSize.maximum}, in digits`, abort: true })
      .min(pageSize.minimum, `must be at least ${pageSize.minimum}`)
      .max(pageSize.maximum, `must be at most ${pageSize.maximum}`),
  )
  .default(pageSize.default)
  .meta({
    override: { type: 'integer', ...pageSize },
    param: { description: 'Maximum number of pets to return', example: pageSize.default },
  });

const Status = z
  .preprocess(readParameter<PetStatus>(), PetStatus)
  .optional()
  .meta({
    param: { description: 'Filter by availability status', example: 'available' },
  });

const CursorParameter = z
  // A parameter that is sent twice is an array.
  .string('must be given once')
  .transform((text, context) => {
    const cursor = decodeCursor(text);
    if (cursor === undefined) context.addIssue('must be the cursor of a next link');
    return cursor ?? z.NEVER;
  })
  .optional()
  .meta({
    override: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    // No example: a documentation page would send it with any status, and get 400.
    param: { description: 'Where the page begins. Opaque: take it from the `next` link of the page before' },
  });

/** The query of listPets. A cursor contains its status filter. */
export const ListPetsQuery = z
  .object({ limit: Limit, status: Status, cursor: CursorParameter })
  .refine(({ status, cursor }) => !cursor || !status || status === cursor.status, {
    path: ['status'],
    error: 'must be the status that the cursor was made with',
  });

const PetId = idParameter('Identifier of the pet');

/** getPet is deprecated and is to be removed on 5 December 2030 (interface: getPet, Versioning). */
export const getPetDeprecation: Deprecation = {
  // The interface gives no date of deprecation. We chose five years before the removal.
  since: new Date('2025-12-05T00:00:00Z'),
  sunset: new Date('2030-12-05T00:00:00Z'),
  successor: '/v1/pets',
};

export const pets = c.router({
  listPets: operation({
    method: 'GET',
    path: '/pets',
    summary: 'List pets',
    description:
      'Returns a page of pets, ordered by id. While there are more, the response has a Link with rel="next".',
    query: ListPetsQuery,
    responses: { 200: Pets, 304: c.noBody() },
    metadata: { scope: 'read', responseHeaders: { 200: ['Link'], 304: ['Link'] } },
  }),
  createPet: operation({
    method: 'POST',
    path: '/pets',
    summary: 'Add a pet',
    description: 'Adds a new pet. With an Idempotency-Key the request can be repeated safely.',
    headers: z.object({ 'idempotency-key': IdempotencyKeyHeader }),
    contentType: 'application/json',
    body: NewPet,
    responses: { 201: Pet, ...errors('ids_exhausted') },
    metadata: {
      scope: 'write',
      successes: { 201: 'Pet added; id is assigned by the service' },
      responseHeaders: { 201: ['Location', 'Idempotency-Replayed'] },
    },
  }),
  getPet: operation({
    method: 'GET',
    path: '/pets/:petId',
    summary: 'Fetch one pet',
    description:
      'Returns one pet by identifier. Deprecated, and to be removed on 5 December 2030: use `GET /pets` with a ' +
      '`status` filter instead.',
    deprecated: true,
    pathParams: z.object({ petId: PetId }),
    responses: { 200: Pet, 304: c.noBody(), ...errors('pet_not_found') },
    metadata: { scope: 'read', deprecation: getPetDeprecation },
  }),
});
