/** What the client needs of a runtime apart from `fetch`, which can be an option. */
const NEEDED = ['AbortController', 'crypto', 'Headers', 'URL', 'URLSearchParams'];

/**
 * Refuses a runtime that lacks something.
 *
 * @throws TypeError that names what is missing and the remedy
 */
export function explainRuntime(fetch: unknown): void {
  const needed = fetch === undefined ? [...NEEDED, 'fetch'] : NEEDED;
  const missing = needed.filter((name) => Reflect.get(globalThis, name) === undefined);
  if (missing.length === 0) return;
  throw new TypeError(
    `This runtime lacks ${missing.join(', ')}: use Node.js 22.12 or newer, or in React Native the polyfills that ` +
      'the README of @petstore/client names under "Runtimes"',
  );
}
