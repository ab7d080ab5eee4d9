import type { Check } from '../check.ts';
import { accept } from './accept.ts';
import { authentication } from './authentication.ts';
import { body } from './body.ts';
import { caching } from './caching.ts';
import { concurrentPagination } from './concurrent-pagination.ts';
import { createPet } from './create-pet.ts';
import { cursor } from './cursor.ts';
import { deprecation } from './deprecation.ts';
import { errors } from './errors.ts';
import { getPet } from './get-pet.ts';
import { head } from './head.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { int64 } from './int64.ts';
import { keyFirst } from './key-first.ts';
import { limit } from './limit.ts';
import { listPets } from './list-pets.ts';
import { name } from './name.ts';
import { invalidNewPet } from './new-pet.ts';
import { openApiDocument } from './openapi-document.ts';
import { pagination } from './pagination.ts';
import { paths } from './paths.ts';
import { probes } from './probes.ts';
import { requestId } from './request-id.ts';

/** Everything that a deployment is held to, in the order of the interface document. */
export const checks: readonly Check[] = [
  ...listPets,
  ...limit,
  ...pagination,
  ...concurrentPagination,
  ...cursor,
  ...createPet,
  ...invalidNewPet,
  ...name,
  ...int64,
  ...body,
  ...idempotencyKey,
  ...getPet,
  ...deprecation,
  ...caching,
  ...head,
  ...accept,
  ...authentication,
  ...keyFirst,
  ...errors,
  ...paths,
  ...requestId,
  ...probes,
  ...openApiDocument,
];

export { wireChecks } from './wire.ts';
