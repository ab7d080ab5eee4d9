/** The API key, or what gives it for each request: from a file or a keeper of secrets, where it may change. */
export type ApiKey = string | (() => string | Promise<string>);

/**
 * Makes the function that gives the key. It stays inside: nothing can print it.
 *
 * @throws TypeError when the key cannot stand in a header field; where it is still to be given, then
 */
export function createKeySource(apiKey: ApiKey): () => Promise<string> {
  if (typeof apiKey === 'function') return async () => checked(await apiKey());
  const key = checked(apiKey);
  return async () => key;
}

// The key is not shown: even a broken one may be a secret. `unknown`, because programs without types say `undefined`.
function checked(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('apiKey must be visible ASCII characters');
}
