import { type Operation, operations } from '../contract.ts';
import { keysOf } from '../objects.ts';
import { type CallLimits, type CreateOptions, defaultLimits, type PetStoreOptions } from '../options.ts';
import { checkRuntime } from './check-runtime.ts';
import { parseUrl } from './parse-url.ts';

/** The names of options: one that is added to the types does not compile until it stands here. */
const storeOptions = {
  baseUrl: true,
  apiKey: true,
  fetch: true,
  headers: true,
  logger: true,
  onDeprecation: true,
  onError: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
  retryThrottling: true,
  validate: true,
  timeoutMs: true,
  attemptTimeoutMs: true,
  retries: true,
  retryDelayMs: true,
  maxRetryDelayMs: true,
  maxRetryAfterMs: true,
  // A store that is created with an in-memory pet store is given its pets, too.
  pets: true,
} satisfies Record<keyof PetStoreOptions | 'pets', true>;

const callOptions = {
  fetch: true,
  headers: true,
  signal: true,
  idempotencyKey: true,
  timeoutMs: true,
  attemptTimeoutMs: true,
  retries: true,
  retryDelayMs: true,
  maxRetryDelayMs: true,
  maxRetryAfterMs: true,
} satisfies Record<keyof CreateOptions, true>;

function checkNames(options: object, known: object, owner: string): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new TypeError(`${owner} has no option ${unknown}; it has ${Object.keys(known).join(', ')}`);
}

/** Refuses limits that are no numbers of at least 0. */
function checkLimits(options: CallLimits): void {
  for (const name of keysOf(defaultLimits)) {
    const limit = options[name];
    if (limit !== undefined && !(limit >= 0)) throw new TypeError(`${name} must be at least 0, not ${limit}`);
  }
}

/**
 * Refuses options with which no store can be created, as the types do: callers in plain JavaScript may pass anything.
 *
 * @throws TypeError that names the cause and the remedy
 */
export function checkStoreOptions(options: PetStoreOptions | undefined): void {
  if (!options) throw new TypeError('createPetStore needs options, at least { baseUrl, apiKey }');
  // First, because without URL every address would look wrong.
  checkRuntime(options.fetch);
  checkNames(options, storeOptions, 'createPetStore');
  checkLimits(options);
  const problem = findBaseUrlProblem(options.baseUrl);
  // The message does not quote the address, because it may be a key in the wrong place.
  if (problem) throw new TypeError(`baseUrl ${problem}; it looks like https://pets.example/v1`);
}

/** @throws TypeError for an option that the operation does not have */
export function checkCallOptions(operation: Operation, options: CreateOptions = {}): void {
  const { idempotencyKey, ...others } = callOptions;
  const isKeyed = operations[operation].retry === 'with a key';
  checkNames(options, isKeyed ? { ...others, idempotencyKey } : others, operation);
  checkLimits(options);
}

function findBaseUrlProblem(baseUrl: unknown): string | undefined {
  if (baseUrl === undefined || baseUrl === '') return 'is missing';
  const text = `${baseUrl}`;
  if (!/^https?:\/\//i.test(text)) return 'must begin with https:// or http://';
  const url = parseUrl(text);
  if (url === undefined) return 'is not a valid URL';
  if (url.username || url.password) return 'must not contain a user name or a password';
  if (/\/pets\/?$/.test(url.pathname)) return 'must not end with /pets, which the client adds';
  return undefined;
}

/**
 * Returns an API key that can be sent. The message for another does not quote it: even a malformed key may be a
 * secret.
 *
 * @throws TypeError that names the cause and the remedy
 */
export function checkApiKey(apiKey: string): string {
  const problem = findApiKeyProblem(apiKey);
  if (problem) throw new TypeError(`apiKey ${problem}`);
  return apiKey;
}

function findApiKeyProblem(apiKey: string | undefined): string | undefined {
  if (!apiKey) return 'is missing: is the variable set that it comes from?';
  const text = `${apiKey}`;
  if (/^Bearer\b/i.test(text)) return 'must not begin with "Bearer", which the client adds';
  if (/[\r\n]/.test(text)) return 'contains a line break: remove it, for example with trim()';
  if (/[^\x21-\x7e]/.test(text)) return 'contains a space or another character that is not visible ASCII';
  return undefined;
}
