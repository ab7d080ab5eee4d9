import { type Check, citesInterface } from '../check.ts';
import { operations } from '../operations.ts';
import { scopeSamples, sharedSamples } from '../samples/access.ts';
import { creationSamples } from '../samples/creation.ts';
import { readingSamples } from '../samples/reading.ts';
import { authentication, scopes } from './authentication.ts';
import { openApiDocument, publicRoutes, unknownMethod } from './beside-the-interface.ts';
import { concurrentPagination } from './concurrent-pagination.ts';
import { createPet } from './create-pet.ts';
import { entityTags } from './entity-tags.ts';
import { getPet } from './get-pet.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { fullPages, listPets } from './list-pets.ts';
import { pagination } from './pagination.ts';
import { rateLimit, rateLimitHeaders } from './rate-limit.ts';
import { checksOf, content, head } from './rules/content.ts';
import { allow, cacheControl, challenge, deprecation, requestId, requiredHeaders } from './rules/headers.ts';

const sharedRules = [content, challenge, requestId];
/** Rules that look up the operation in version 1 of the contract. */
const versionRules = [requiredHeaders, cacheControl, deprecation];
/** Without `rateLimitHeaders`, which compares a response with one to `apiKey`: `readApiKey` may lack a limit. */
const rules = [...sharedRules, ...versionRules];

/** Checks that every version of the interface passes: they look at no property of a pet. */
export const sharedChecks: readonly Check[] = [
  ...checksOf(sharedSamples),
  ...authentication,
  ...rateLimit,
  ...publicRoutes,
  ...sharedRules.flatMap((rule) => rule(sharedSamples)),
  ...rateLimitHeaders(sharedSamples.filter(({ status }) => status !== 401)),
  ...allow(sharedSamples.filter(({ status }) => status === 405)),
];

const ownSamples = [...readingSamples, ...creationSamples];
const samplesOfGet = [...ownSamples, ...sharedSamples].filter(({ operation }) =>
  operations.some(({ name, method }) => name === operation && method === 'GET'),
);

/** The checks of version 1. */
export const checks: readonly Check[] = [
  ...[listPets, createPet, fullPages, pagination, concurrentPagination, idempotencyKey, getPet].flat(),
  ...entityTags,
  // After the checks above: a deployment that accepts invalid pets lists them from then on.
  ...checksOf(ownSamples),
  ...unknownMethod,
  ...[...rules, rateLimitHeaders].flatMap((rule) => rule(ownSamples)),
  ...versionRules.flatMap((rule) => rule(sharedSamples)),
  ...head(samplesOfGet),
  ...sharedChecks,
  ...openApiDocument,
];

/** The checks that any service written from the interface document must pass. */
export const interfaceChecks: readonly Check[] = checks.filter(citesInterface);

/** Checks that need a `readApiKey`. */
export const scopeChecks: readonly Check[] = [
  ...scopes,
  ...checksOf(scopeSamples),
  ...rules.flatMap((rule) => rule(scopeSamples)),
];
