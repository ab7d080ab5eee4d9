import { type Version, v1 } from '@petstore/contract';
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
import { rateLimit } from './rate-limit.ts';
import { requestId } from './request-id.ts';
import { scopeChecks } from './scope.ts';
import { wireChecks } from './wire.ts';

/** Checks that every version of the interface passes: they look at no property of a pet. */
export const sharedChecks: readonly Check[] = [
  ...authentication,
  ...keyFirst,
  ...errors,
  ...requestId,
  ...rateLimit,
  ...probes,
];

/** The checks of version 1, in the order of the interface document. */
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
  ...paths,
  ...sharedChecks,
  ...openApiDocument,
];

/**
 * All checks of each version, by the prefix that its base URLs end with. A second version has a line here: the
 * shared checks, and those of its own resources.
 */
export const checksByPrefix: Readonly<Record<Version['prefix'], readonly Check[]>> = {
  [v1.prefix]: [...checks, ...wireChecks, ...scopeChecks],
};

export { scopeChecks, wireChecks };
