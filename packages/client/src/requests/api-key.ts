/**
 * The API key, or a function that returns it for each attempt: from a file or a secret store, where it may
 * change.
 */
export type ApiKey = string | (() => string | Promise<string>);

/**
 * Creates the function that returns the key. The key stays inside the closure, so that no log can print it.
 *
 * @throws TypeError when the key cannot be sent in a header; for a key from a function, when it is called
 */
export function createApiKeyProvider(apiKey: ApiKey): () => Promise<string> {
  if (typeof apiKey === 'function') return async () => checkApiKey(await apiKey());
  const key = checkApiKey(apiKey);
  return async () => key;
}

// The message does not quote the key: even a malformed one may be a secret. `unknown`, because callers in
// plain JavaScript may pass `undefined`.
function checkApiKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('apiKey must be visible ASCII characters');
}
