import type { RetryThrottling } from '../options.ts';
import { parseUrl } from './parse-url.ts';

/**
 * Refuses a base address that cannot work. The message does not quote it, because it may be a key in the wrong
 * place.
 *
 * @param baseUrl `unknown`, because callers in plain JavaScript may pass anything
 * @throws TypeError that names the cause and the remedy
 */
export function explainBaseUrl(baseUrl: unknown): void {
  const problem = findBaseUrlProblem(baseUrl);
  if (problem) throw new TypeError(`baseUrl ${problem}; it looks like https://pets.example/v1`);
}

function findBaseUrlProblem(baseUrl: unknown): string | undefined {
  if (baseUrl === undefined || baseUrl === '') return 'is missing';
  if (typeof baseUrl !== 'string') return 'must be a string';
  if (!/^https?:\/\//i.test(baseUrl)) return 'must begin with https:// or http://';
  const url = parseUrl(baseUrl);
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
export function explainApiKey(apiKey: string): string {
  const problem = findApiKeyProblem(apiKey);
  if (problem) throw new TypeError(`apiKey ${problem}`);
  return apiKey;
}

function findApiKeyProblem(apiKey: unknown): string | undefined {
  if (apiKey === undefined || apiKey === null) return 'is missing: is the variable set that it comes from?';
  if (typeof apiKey !== 'string') return 'must be a string, or a function that returns one';
  if (apiKey === '') return 'is empty: is the variable set that it comes from?';
  if (/^Bearer\b/i.test(apiKey)) return 'must not begin with "Bearer", which the client adds';
  if (/[\r\n]/.test(apiKey)) return 'contains a line break: remove it, for example with trim()';
  if (/[^\x21-\x7e]/.test(apiKey)) return 'contains a space or another character that is not visible ASCII';
  return undefined;
}

/** @throws TypeError for a budget with which no retry would ever be sent */
export function explainRetryThrottling({ maxTokens = 1, tokenRatio = 0 }: RetryThrottling = {}): void {
  if (!(maxTokens >= 1))
    throw new TypeError(`retryThrottling.maxTokens must be at least 1, not ${maxTokens}`);
  if (!(tokenRatio >= 0))
    throw new TypeError(`retryThrottling.tokenRatio must be at least 0, not ${tokenRatio}`);
}
