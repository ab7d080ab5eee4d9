import { type Check, isOfInterface } from '../check.ts';
import { sharedSamples } from '../samples/access.ts';
import { creationSamples } from '../samples/creation.ts';
import { readingSamples } from '../samples/reading.ts';
import { authentication, scopeChecks } from './authentication.ts';
import { openApiDocument, probes, unknownMethod } from './beside-the-interface.ts';
import { concurrentPagination } from './concurrent-pagination.ts';
import { createPet } from './create-pet.ts';
import { entityTags } from './entity-tags.ts';
import { getPet } from './get-pet.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { listPets } from './list-pets.ts';
import { pagination } from './pagination.ts';
import { rateLimit, rateLimitHeaders } from './rate-limit.ts';
import { checksOf, content, head } from './rules/content.ts';
import { allow, cacheControl, challenge, deprecation, requestId, requiredHeaders } from './rules/headers.ts';

const sharedRules = [content, challenge, requestId];

/** Checks that every version of the interface passes: they look at no property of a pet. */
export const sharedChecks: readonly Check[] = [
  ...checksOf(sharedSamples),
  ...authentication,
  ...rateLimit,
  ...probes,
  ...sharedRules.flatMap((rule) => rule(sharedSamples)),
  // Only a valid key has a limit.
  ...rateLimitHeaders(sharedSamples.filter(({ status }) => status !== 401)),
  ...allow(sharedSamples.filter(({ status }) => status === 405)),
];

const ownSamples = [...readingSamples, ...creationSamples];
const samples = [...ownSamples, ...sharedSamples];
/** HEAD is like GET. */
const gets = samples.filter(({ operation }) => operation === 'listPets' || operation === 'getPet');

/** The checks of version 1. */
export const checks: readonly Check[] = [
  ...[...listPets, ...pagination, ...concurrentPagination],
  ...[...createPet, ...idempotencyKey, ...getPet, ...entityTags],
  // A deployment that accepts invalid pets lists them from then on.
  ...checksOf(ownSamples),
  ...unknownMethod,
  ...[...sharedRules, rateLimitHeaders].flatMap((rule) => rule(ownSamples)),
  ...[requiredHeaders, cacheControl, deprecation].flatMap((rule) => rule(samples)),
  ...head(gets),
  ...sharedChecks,
  ...openApiDocument,
];

/** The checks that any service written from the interface document must pass. */
export const interfaceChecks: readonly Check[] = checks.filter(isOfInterface);

export { scopeChecks };
