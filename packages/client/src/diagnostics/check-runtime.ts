/** What the client needs of a runtime apart from `fetch`, which can be an option. */
const NEEDED = ['AbortController', 'crypto', 'Headers', 'TextDecoder', 'URL', 'URLSearchParams'];

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
