import { createPetStore, type PetStore, type PetStoreOptions } from '@petstore/client';
import { CommandError, exitCodes } from './exit-code.ts';
import { note } from './terminal.ts';

/**
 * Creates the client of the service that `--base-url` or the environment names. The key has no option, because every
 * user of a machine can see the arguments of a process.
 * @throws CommandError when the URL or the key is missing or malformed
 */
export function connect(
  options: { baseUrl?: string | undefined },
  connection: Partial<PetStoreOptions> = {},
): PetStore {
  const { PETSTORE_BASE_URL, PETSTORE_API_KEY: apiKey } = process.env;
  const { baseUrl = PETSTORE_BASE_URL } = options;
  if (!baseUrl) throw new CommandError('No base URL: set PETSTORE_BASE_URL, or --base-url', exitCodes.usage);
  if (!apiKey) throw new CommandError('No API key: set PETSTORE_API_KEY', exitCodes.usage);
  try {
    // Users of a terminal cannot act on a deprecation, and want to know soon that the service is unavailable. The
    // empty hook replaces the client's own notice of retries, which is for developers.
    return createPetStore({ baseUrl, apiKey, onDeprecation: false, retries: 2, onRetry() {}, ...connection });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(error.message, exitCodes.usage);
    throw error;
  }
}

/**
 * Creates a client that waits while the service is unavailable or limits the rate.
 * @param options.wait how long each call waits, in seconds
 */
export async function connectPatiently(options: { baseUrl?: string | undefined; wait: number }) {
  // Each way to set --use-env-proxy sets `proxyEnv`, which has no type. Node.js 24.0 to 24.4 have only the variable.
  const usesProxy =
    process.env.NODE_USE_ENV_PROXY || Object((await import('node:http')).globalAgent).options?.proxyEnv;
  const waitMs = options.wait * 1000;
  const told = new Set<string>();

  /** Tells each reason once: many calls wait at the same time. */
  function tell(reason: string, action: string): void {
    if (!told.has(reason)) note(`${reason}: ${action}`);
    told.add(reason);
  }

  return connect(options, {
    // Takes a third of the CPU time of Node.js's `fetch`, but ignores HTTP_PROXY. Its import would slow other commands.
    fetch: usesProxy ? undefined : (await import('@petstore/client/node')).createNodeFetch(),
    retries: Number.POSITIVE_INFINITY,
    timeoutMs: waitMs,
    maxRetryAfterMs: waitMs,
    onRetry({ attempt, status, delayMs }) {
      if (status === 429) {
        tell('The rate limit of the API key is reached', `going on in ${Math.ceil(delayMs / 1_000)} s`);
      } else if (attempt > 1) {
        // A single failure is most likely over before a user notices.
        tell('The service is unavailable or overloaded', 'waiting for it');
      }
    },
  });
}
