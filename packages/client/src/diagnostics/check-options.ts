import { type CallLimits, defaultLimits } from '../call-options.ts';
import { prefix } from '../contract.ts';
import { keysOf } from '../objects.ts';
import type { PetStoreOptions } from '../options.ts';

/** Patterns that a text must not match, each with the problem. The first match counts. */
type Problems = readonly (readonly [pattern: RegExp, problem: string])[];

const BASE_URL_PROBLEMS: Problems = [
  [/^$/, 'is missing'],
  [/^(?!https?:\/\/)/i, 'must begin with https:// or http://'],
  [/\/\/[^/?#]*@/, 'must not contain a user name or a password'],
  // A host may be called pets.
  [/[^/]\/pets\/*([?#].*)?$/, 'must not end with /pets, which the client adds'],
];

const API_KEY_PROBLEMS: Problems = [
  [/^$/, 'is missing: is the variable set that it comes from?'],
  [/^Bearer\b/i, 'must not begin with "Bearer", which the client adds'],
  [/[\r\n]/, 'contains a line break: remove it, for example with trim()'],
  [/[^\x21-\x7e]/, 'contains a space or another character that is not visible ASCII'],
];

/** Globals that every store needs. */
const NEEDED = ['AbortController', 'crypto', 'Headers', 'TextDecoder', 'URL', 'URLSearchParams'];

// `unknown`, because plain JavaScript may pass anything.
function findProblem(value: unknown, problems: Problems): string | undefined {
  return problems.find(([pattern]) => pattern.test(String(value ?? '')))?.[1];
}

/** @throws TypeError for a limit that is negative or not a number: plain JavaScript may pass a string */
export function checkLimits(limits: CallLimits): void {
  for (const name of keysOf(defaultLimits)) {
    const limit = limits[name];
    if (limit === undefined || (typeof limit === 'number' && limit >= 0)) continue;
    throw new TypeError(`${name} must be a number of at least 0, not the ${typeof limit} ${limit}`);
  }
}

/** @throws TypeError that names the cause and the remedy */
export function checkStoreOptions(options: PetStoreOptions | undefined): void {
  if (!options) throw new TypeError('createPetStore needs options, at least { baseUrl, apiKey }');
  const { baseUrl } = options;
  const problem =
    findProblem(baseUrl, BASE_URL_PROBLEMS) ?? (URL.canParse(baseUrl) ? undefined : 'is not a valid URL');
  // The message does not quote the URL: it may be an API key in the wrong place.
  if (problem) throw new TypeError(`baseUrl ${problem}; it looks like https://pets.example${prefix}`);
}

/** @throws TypeError that does not quote the key: even a malformed key may be a secret */
export function checkApiKey(apiKey: string): string {
  const problem = findProblem(apiKey, API_KEY_PROBLEMS);
  if (problem) throw new TypeError(`apiKey ${problem}`);
  return apiKey;
}

/** @throws TypeError that names the features that the runtime lacks, and the remedy */
export function checkRuntime(furtherGlobals: readonly string[]): void {
  const needed = [...NEEDED, ...furtherGlobals];
  const missing = needed.filter((name) => Reflect.get(globalThis, name) === undefined);
  // Without JSON.rawJSON, only a body with a bigint fails, perhaps weeks later. Node.js 22 has it.
  if (!('rawJSON' in JSON)) missing.push('JSON.rawJSON');
  if (missing.length === 0) return;
  throw new TypeError(
    `This runtime lacks ${missing.join(', ')}: use Node.js 22.12 or newer, in Jest the environment "node" instead of ` +
      '"jsdom", or a polyfill',
  );
}
