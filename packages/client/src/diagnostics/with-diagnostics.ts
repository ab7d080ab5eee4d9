import type { Hooks } from '../hooks.ts';
import type { ConnectionOptions } from '../options.ts';
import { checkApiKey, checkRuntime } from './check-options.ts';
import { createFailureExplainer } from './explain-failure.ts';
import { createDeprecationNotice, createWaitNotice } from './notices.ts';

/**
 * Adds messages for developers to the options of a store: causes of failures, and notices of deprecated operations and
 * of outages.
 * @throws TypeError that says why the API key or the runtime cannot work
 */
export function withDiagnostics<Options extends ConnectionOptions>(options: Options): Options {
  checkRuntime(options.fetch === undefined ? ['fetch'] : []);
  const warn = (line: string) => console.warn(line);
  const { apiKey, onDeprecation = warn } = options;
  const hooks: Hooks[] = [
    // An app with its own `onRetry` needs no warning.
    options.onRetry || isProduction() ? {} : createWaitNotice(warn),
    onDeprecation ? { onResponse: createDeprecationNotice(onDeprecation) } : {},
    options,
    // Last, because no hook is called after it throws.
    createFailureExplainer(),
  ];
  const checkedKey =
    typeof apiKey === 'function' ? async () => checkApiKey(await apiKey()) : checkApiKey(apiKey);
  return { ...options, apiKey: checkedKey, ...combineHooks(hooks) };
}

function isProduction(): boolean {
  try {
    // Bundlers for browsers replace this expression.
    return process.env.NODE_ENV === 'production';
  } catch {
    // A page without a bundler has no `process`, and Deno refuses to read the environment without --allow-env.
    return false;
  }
}

const combineHooks = (all: readonly Hooks[]): Hooks => ({
  onRequest(event) {
    for (const { onRequest } of all) onRequest?.(event);
  },
  onResponse(event) {
    for (const { onResponse } of all) onResponse?.(event);
  },
  onError(event) {
    for (const { onError } of all) onError?.(event);
  },
  onRetry(event) {
    for (const { onRetry } of all) onRetry?.(event);
  },
});
