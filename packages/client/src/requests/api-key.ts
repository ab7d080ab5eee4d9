import type { ApiKey } from '../options.ts';

/**
 * Creates the function that returns the key. The key stays inside the closure, so that no log can print it.
 *
 * The function throws a TypeError for a key that cannot be sent in a header.
 */
export function createApiKeyProvider(apiKey: ApiKey): () => Promise<string> {
  return async () => checkApiKey(typeof apiKey === 'function' ? await apiKey() : apiKey);
}

// The message does not quote the key: even a malformed one may be a secret. `unknown`, because callers in
// plain JavaScript may pass `undefined`.
function checkApiKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('apiKey is malformed');
}
