import type { Hooks } from '../hooks.ts';
import type { ConnectionOptions } from '../options.ts';
import { checkApiKey } from './check-options.ts';
import { checkRuntime } from './check-runtime.ts';
import { createDeprecationNotifier } from './deprecation.ts';
import { environmentLogger, readVariable } from './environment-logger.ts';
import { createFailureExplainer } from './explain-failure.ts';
import { createLogHooks } from './log-hooks.ts';
import { createWaitNotice } from './wait-notice.ts';

export { checkCallOptions, checkStoreOptions } from './check-options.ts';

// The build for production bundles of browsers has `no-diagnostics.ts` in place of this module: every visitor
// would download what only developers read.

/**
 * Adds what a developer reads to the options of a store: causes of mistakes, a log, and notices of deprecated
 * operations and of outages.
 *
 * @throws TypeError when the API key or the runtime cannot work; its message names the cause
 */
export function withDiagnostics<Options extends ConnectionOptions>(options: Options): Options {
  checkRuntime(options.fetch);
  const { apiKey, logger = environmentLogger() } = options;
  const warn = (line: string) => (logger ?? console).warn(line);
  const { onDeprecation = ({ message }) => warn(message) } = options;
  // A log has a line for each retry, and an app with a hook of its own knows of them.
  const isNoticed = !logger && !options.onRetry && readVariable('NODE_ENV') !== 'production';
  const hooks: Hooks[] = [
    logger ? createLogHooks(logger) : {},
    isNoticed ? createWaitNotice(warn) : {},
    onDeprecation ? { onResponse: createDeprecationNotifier(onDeprecation) } : {},
    options,
    createFailureExplainer(),
  ];
  const checkedKey =
    typeof apiKey === 'function' ? async () => checkApiKey(await apiKey()) : checkApiKey(apiKey);
  return { ...options, apiKey: checkedKey, ...combineHooks(hooks) };
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
