import { type CallLimits, type CreateOptions, defaultLimits } from '../call-options.ts';
import { type Operation, operations } from '../contract.ts';
import { keysOf } from '../objects.ts';
import type { PetStoreOptions } from '../options.ts';

/** The options of a store: one that is added to the types does not compile until it stands here. */
const storeOptions = {
  baseUrl: true,
  apiKey: true,
  fetch: true,
  headers: true,
  onDeprecation: true,
  onError: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
  ...defaultLimits,
  // A store that is created with an in-memory pet store is given its pets, too.
  pets: true,
} satisfies Record<keyof PetStoreOptions | 'pets', unknown>;

const callOptions = {
  fetch: true,
  headers: true,
  signal: true,
  idempotencyKey: true,
  ...defaultLimits,
} satisfies Record<keyof CreateOptions, unknown>;

/** What a text must not look like, and what the message says of it then. The first that fits counts. */
type Problems = readonly (readonly [pattern: RegExp, problem: string])[];

const BASE_URL_PROBLEMS: Problems = [
  [/^$/, 'is missing'],
  [/^(?!https?:\/\/)/i, 'must begin with https:// or http://'],
  [/\/\/[^/?#]*@/, 'must not contain a user name or a password'],
  [/\/pets\/?([?#].*)?$/, 'must not end with /pets, which the client adds'],
];

const API_KEY_PROBLEMS: Problems = [
  [/^$/, 'is missing: is the variable set that it comes from?'],
  [/^Bearer\b/i, 'must not begin with "Bearer", which the client adds'],
  [/[\r\n]/, 'contains a line break: remove it, for example with trim()'],
  [/[^\x21-\x7e]/, 'contains a space or another character that is not visible ASCII'],
];

/** What the client needs of a runtime apart from `fetch`, which can be an option. */
const NEEDED = ['AbortController', 'crypto', 'Headers', 'TextDecoder', 'URL', 'URLSearchParams'];

/** `unknown`, because callers in plain JavaScript may pass anything. */
function findProblem(value: unknown, problems: Problems): string | undefined {
  return problems.find(([pattern]) => pattern.test(String(value ?? '')))?.[1];
}

/** Refuses unknown names, and limits that are no numbers of at least 0. */
function checkNames(options: object & CallLimits, known: object, owner: string): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    throw new TypeError(`${owner} has no option ${unknown}; it has ${Object.keys(known).join(', ')}`);
  }
  for (const name of keysOf(defaultLimits)) {
    const limit = options[name];
    if (limit !== undefined && !(limit >= 0)) throw new TypeError(`${name} must be at least 0, not ${limit}`);
  }
}

/**
 * Refuses options with which no store can be created, as the types do.
 *
 * @throws TypeError that names the cause and the remedy
 */
export function checkStoreOptions(options: PetStoreOptions | undefined): void {
  if (!options) throw new TypeError('createPetStore needs options, at least { baseUrl, apiKey }');
  checkNames(options, storeOptions, 'createPetStore');
  const { baseUrl } = options;
  const problem =
    findProblem(baseUrl, BASE_URL_PROBLEMS) ?? (isUrl(baseUrl) ? undefined : 'is not a valid URL');
  // The message does not quote the address, because it may be a key in the wrong place.
  if (problem) throw new TypeError(`baseUrl ${problem}; it looks like https://pets.example/v1`);
}

/** `URL.canParse` does the same, but React Native lacks it. */
function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

/** @throws TypeError for an option that the operation does not have */
export function checkCallOptions(operation: Operation, options: CreateOptions = {}): void {
  const { idempotencyKey, ...others } = callOptions;
  const isKeyed = operations[operation].retry === 'with a key';
  checkNames(options, isKeyed ? { ...others, idempotencyKey } : others, operation);
}

/**
 * Returns an API key that can be sent. The message for another does not quote it: even a malformed key may be a
 * secret.
 *
 * @throws TypeError that names the cause and the remedy
 */
export function checkApiKey(apiKey: string): string {
  const problem = findProblem(apiKey, API_KEY_PROBLEMS);
  if (problem) throw new TypeError(`apiKey ${problem}`);
  return apiKey;
}

/**
 * Refuses a runtime that lacks something.
 *
 * @param fetch that of the options
 * @param more what is needed as well
 * @throws TypeError that names what is missing and the remedy
 */
export function checkRuntime(fetch: unknown, more: readonly string[] = []): void {
  const needed = [...NEEDED, ...more, ...(fetch === undefined ? ['fetch'] : [])];
  const missing = needed.filter((name) => Reflect.get(globalThis, name) === undefined);
  if (missing.length === 0) return;
  throw new TypeError(
    `This runtime lacks ${missing.join(', ')}: use Node.js 22.12 or newer, in Jest the environment "node" in place ` +
      'of "jsdom", or a polyfill',
  );
}
