import { type Check, isOfInterface } from '../check.ts';
import { authentication, scopeChecks } from './access/authentication.ts';
import { rateLimit } from './access/rate-limit.ts';
import { changes } from './changes.ts';
import { body } from './create-pet/body.ts';
import { createPet } from './create-pet/create-pet.ts';
import { idempotencyKey } from './create-pet/idempotency-key.ts';
import { keptValues } from './create-pet/kept-values.ts';
import { invalidNewPet } from './create-pet/new-pet.ts';
import { refusals } from './create-pet/refusals.ts';
import { deprecation } from './get-pet/deprecation.ts';
import { getPet } from './get-pet/get-pet.ts';
import { openApiDocument, probes } from './http/beside-the-interface.ts';
import { caching } from './http/caching.ts';
import { accept, errors, head, requestId } from './http/every-response.ts';
import { paths } from './http/paths.ts';
import { concurrentPagination } from './list-pets/concurrent-pagination.ts';
import { limit } from './list-pets/limit.ts';
import { listPets } from './list-pets/list-pets.ts';
import { cursor, pagination } from './list-pets/pagination.ts';

/** Checks that every version of the interface passes: they look at no property of a pet. */
export const sharedChecks: readonly Check[] = [
  ...authentication,
  ...errors,
  ...requestId,
  ...rateLimit,
  ...probes,
];

/** The checks of version 1, in the order of the interface document. */
export const checks: readonly Check[] = [
  ...[...listPets, ...limit, ...pagination, ...concurrentPagination, ...cursor],
  ...[...createPet, ...invalidNewPet, ...keptValues, ...body, ...refusals, ...idempotencyKey],
  ...[...getPet, ...deprecation],
  ...caching,
  ...changes,
  ...head,
  ...accept,
  ...paths,
  ...sharedChecks,
  ...openApiDocument,
];

/** The checks that any service written from the interface document must pass. */
export const interfaceChecks: readonly Check[] = checks.filter(isOfInterface);

export { scopeChecks };
