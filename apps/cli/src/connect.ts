import { createPetStore, type PetStore, type PetStoreOptions } from '@petstore/client';
import { readConfiguration } from './configuration.ts';
import { CommandError, exitCodes } from './exit-code.ts';

/** Creates the client of the configured service. */
export async function connect(
  options: { baseUrl?: string | undefined },
  connection: Partial<PetStoreOptions> = {},
): Promise<PetStore> {
  const configuration = await readConfiguration(options);
  try {
    // A user of a terminal cannot act on a deprecation; the developers of this command read the contract.
    // A person who waits for a command wants to hear soon that the service is away.
    // Without a hook of its own for retries, the client would write a notice for developers.
    const defaults: Partial<PetStoreOptions> = { onDeprecation: false, retries: 2, onRetry: () => {} };
    return createPetStore({ ...configuration, ...defaults, ...connection });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(error.message, exitCodes.usage);
    throw error;
  }
}

/** How long a request may wait for a service that is away at most, in seconds. */
export const MAX_WAIT_S = 1_800;

/**
 * Creates a client that waits for a service that is away or limits the rate. The client retries by itself: it
 * knows what is safe to send again, and obeys Retry-After.
 *
 * @param options.wait how long each call waits, in seconds
 * @param fetch that of Node.js takes three times the processor time
 */
export function connectPatiently(
  options: { baseUrl?: string | undefined; wait: number },
  fetch: PetStoreOptions['fetch'],
): Promise<PetStore> {
  const waitMs = options.wait * 1000;
  let isTold = false;
  return connect(options, {
    fetch,
    retries: Number.POSITIVE_INFINITY,
    timeoutMs: waitMs,
    maxRetryAfterMs: waitMs,
    onRetry({ attempt }) {
      if (isTold || attempt < 2) return;
      isTold = true;
      console.error('The service is away or overloaded: waiting for it');
    },
  });
}
