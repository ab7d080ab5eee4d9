import type { Hooks } from '../hooks.ts';
import type { ApiKey, ConnectionOptions, PetStoreOptions } from '../options.ts';
import { createDeprecationNotifier } from './deprecation.ts';
import { environmentLogger } from './environment-logger.ts';
import { explainApiKey, explainBaseUrl, explainRetryThrottling } from './explain-options.ts';
import { explainRuntime } from './explain-runtime.ts';
import { explainWrongScheme } from './explain-wrong-scheme.ts';
import { createLogHooks } from './log-hooks.ts';

// The build for production bundles of browsers has `no-diagnostics.ts` in place of this module: every visitor
// would download what only developers read.

/** @throws TypeError when no store can be created with the options; its message names the cause */
export function explainStoreOptions(options: PetStoreOptions | undefined): void {
  if (!options) throw new TypeError('createPetStore needs options, at least { baseUrl, apiKey }');
  // First, because without URL every address would look wrong.
  explainRuntime(options.fetch);
  explainBaseUrl(options.baseUrl);
}

/**
 * Adds what a developer reads to the options of a store: causes of mistakes, a log, and notices of deprecated
 * operations.
 *
 * @throws TypeError when the API key or the runtime cannot work; its message names the cause
 */
export function withDiagnostics<Options extends ConnectionOptions>(options: Options): Options {
  explainRuntime(options.fetch);
  explainRetryThrottling(options.retryThrottling);
  const { logger = environmentLogger() } = options;
  const { onDeprecation = ({ message }) => (logger ?? console).warn(message) } = options;
  const hooks: Hooks[] = [
    logger ? createLogHooks(logger) : {},
    onDeprecation ? { onResponse: createDeprecationNotifier(onDeprecation) } : {},
    options,
    { onError: explainWrongScheme },
  ];
  return { ...options, apiKey: explainedApiKey(options.apiKey), ...combineHooks(hooks) };
}

function explainedApiKey(apiKey: ApiKey): ApiKey {
  if (typeof apiKey !== 'function') return explainApiKey(apiKey);
  return async () => explainApiKey(await apiKey());
}

/** Hooks that call several ones, in their order. */
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
