import { type Version, v1 } from '@petstore/contract';
import { type Check, isOfInterface } from '../check.ts';
import { authentication } from './access/authentication.ts';
import { keyFirst } from './access/key-first.ts';
import { rateLimit } from './access/rate-limit.ts';
import { scopeChecks } from './access/scope.ts';
import { body } from './create-pet/body.ts';
import { createPet } from './create-pet/create-pet.ts';
import { idempotencyKey } from './create-pet/idempotency-key.ts';
import { int64 } from './create-pet/int64.ts';
import { name } from './create-pet/name.ts';
import { invalidNewPet } from './create-pet/new-pet.ts';
import { deprecation } from './get-pet/deprecation.ts';
import { getPet } from './get-pet/get-pet.ts';
import { accept } from './http/accept.ts';
import { caching } from './http/caching.ts';
import { errors } from './http/errors.ts';
import { head } from './http/head.ts';
import { paths } from './http/paths.ts';
import { requestId } from './http/request-id.ts';
import { wireChecks } from './http/wire.ts';
import { concurrentPagination } from './list-pets/concurrent-pagination.ts';
import { cursor } from './list-pets/cursor.ts';
import { limit } from './list-pets/limit.ts';
import { listPets } from './list-pets/list-pets.ts';
import { pagination } from './list-pets/pagination.ts';
import { openApiDocument } from './openapi-document.ts';
import { probes } from './probes.ts';

/** Checks that every version of the interface passes: they look at no property of a pet. */
export const sharedChecks: readonly Check[] = [
  ...authentication,
  ...keyFirst,
  ...errors,
  ...requestId,
  ...rateLimit,
  ...probes,
];

type Contract = typeof v1.contract;

/** The checks of each operation of version 1: one that the contract adds does not compile until it stands here. */
const operationChecks: {
  [Resource in keyof Contract]: Record<keyof Contract[Resource], readonly Check[]>;
} = {
  pets: {
    listPets: [...listPets, ...limit, ...pagination, ...concurrentPagination, ...cursor],
    createPet: [...createPet, ...invalidNewPet, ...name, ...int64, ...body, ...idempotencyKey],
    getPet: [...getPet, ...deprecation],
  },
};

/** The checks of version 1, in the order of the interface document. */
export const checks: readonly Check[] = [
  ...Object.values(operationChecks).flatMap((operations) => Object.values(operations).flat()),
  ...caching,
  ...head,
  ...accept,
  ...paths,
  ...sharedChecks,
  ...openApiDocument,
];

/** The part of `checks` that says only what the interface document says. */
export const interfaceChecks: readonly Check[] = checks.filter(isOfInterface);

/**
 * All checks of each version, by the prefix that its base URLs end with. A second version has a line here: the
 * shared checks, and those of its own resources.
 */
export const checksByPrefix: Readonly<Record<Version['prefix'], readonly Check[]>> = {
  [v1.prefix]: [...checks, ...wireChecks, ...scopeChecks],
};

export { scopeChecks, wireChecks };
