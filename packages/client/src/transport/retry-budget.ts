import { sleep } from './deadline.ts';

/** How many retries can be sent in a burst. A retry takes a token; one that the service responds to gives it back. */
const MAX_TOKENS = 100;

/** How much of a token each request adds that is not to be retried. */
const TOKEN_RATIO = 0.1;

/** How long it takes until a token is added: when all calls wait, one of them tries whether the service is back. */
const REFILL_MS = 1_000;

/**
 * Creates the budget of retries that all calls of a store share, so that an outage does not become a storm of requests: a token bucket,
 * as in gRPC's retry throttling. A retry that finds no token waits for one, as a request does in the adaptive retry
 * mode of AWS's SDKs; it is not given up.
 */
export function createRetryBudget() {
  let tokens = MAX_TOKENS;
  let refilledAt = performance.now();

  const add = (more: number) => {
    tokens = Math.min(MAX_TOKENS, tokens + more);
  };

  const take = () => {
    const now = performance.now();
    add((now - refilledAt) / REFILL_MS);
    refilledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };

  return {
    /**
     * Waits for a delay and then for a token.
     *
     * @param end when the call ends, by the clock of `performance`
     * @returns `false` when the call would end before
     */
    async wait(delayMs: number, end: number, signal: AbortSignal): Promise<boolean> {
      for (let ms = delayMs; performance.now() + ms < end; ms = Math.random() * REFILL_MS) {
        await sleep(ms, signal);
        // The next attempt reports that the call was aborted.
        if (signal.aborted || take()) return true;
      }
      return false;
    },

    /** Adds tokens for a request that is not to be retried. */
    succeed: (isRetry: boolean) => add(isRetry ? 1 + TOKEN_RATIO : TOKEN_RATIO),
  };
}
