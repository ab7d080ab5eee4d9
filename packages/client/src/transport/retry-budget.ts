import { sleep } from './deadline.ts';

/** The size of the token bucket: the longest burst of retries. A retry takes a token; its success gives it back. */
const MAX_TOKENS = 100;

/** The part of a token that each successful request adds. */
const TOKEN_RATIO = 0.1;

/** The time after which a token is added: when all calls wait, one of them finds out whether the service is back. */
const REFILL_MS = 1_000;

/**
 * Creates the token bucket for the retries of all calls of a store, as in gRPC's retry throttling: an outage must not
 * become a storm of requests. A retry without a token waits for one, as in the adaptive retry mode of AWS's SDKs.
 */
export function createRetryBudget() {
  let tokens = MAX_TOKENS;
  let refilledAt = performance.now();

  const add = (more: number) => {
    tokens = Math.min(MAX_TOKENS, tokens + more);
  };

  const take = () => {
    const now = performance.now();
    // Fake timers of tests set the clock back.
    add(Math.max(0, now - refilledAt) / REFILL_MS);
    refilledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };

  return {
    /**
     * Waits for a delay and then for a token.
     * @param end when the call times out, in milliseconds of `performance.now()`
     * @returns `false` when the call would time out before it gets a token
     */
    async wait(delayMs: number, end: number, signal: AbortSignal): Promise<boolean> {
      // Waiting calls look for a token at random times: each has the same chance, and they send at different times.
      for (let ms = delayMs; performance.now() + ms < end; ms = Math.random() * REFILL_MS) {
        await sleep(ms, signal);
        // The next attempt reports that the call was aborted.
        if (signal.aborted || take()) return true;
      }
      return false;
    },

    /** Adds tokens for an attempt without a transient failure. Only a retry has taken one: it gives it back, too. */
    credit: (attempt: number) => add(attempt > 1 ? 1 + TOKEN_RATIO : TOKEN_RATIO),
  };
}
