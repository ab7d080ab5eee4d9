import { sleep } from './deadline.ts';

/** The longest burst of retries. A retry takes a token; a retry that succeeds gives it back. */
const MAX_TOKENS = 100;

/** The part of a token that each successful request adds. */
const TOKEN_RATIO = 0.1;

/** The time after which a token is added: when all calls wait, one of them finds out whether the service is back. */
const REFILL_MS = 1_000;

/**
 * Creates the budget of retries that all calls of a store share: an outage must not become a storm of requests. It is
 * a token bucket, as in gRPC's retry throttling. A retry without a token waits for one, as in the adaptive retry mode
 * of AWS's SDKs.
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
     * @param end when the call ends, by the clock of `performance`
     * @returns `false` when the call ends before it gets a token
     */
    async wait(delayMs: number, end: number, signal: AbortSignal): Promise<boolean> {
      for (let ms = delayMs; performance.now() + ms < end; ms = Math.random() * REFILL_MS) {
        await sleep(ms, signal);
        // The next attempt reports that the call was aborted.
        if (signal.aborted || take()) return true;
      }
      return false;
    },

    /** Adds tokens for an attempt that did not fail. */
    succeed: ({ isRetry }: { isRetry: boolean }) => add(isRetry ? 1 + TOKEN_RATIO : TOKEN_RATIO),
  };
}
