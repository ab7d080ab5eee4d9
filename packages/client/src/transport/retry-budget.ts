import type { RetryThrottling } from '../options.ts';
import { sleep } from './deadline.ts';

/** The retries that all calls of a store share: see `RetryThrottling`. */
export interface RetryBudget {
  /**
   * Waits for a delay and then for a token.
   *
   * @param end when the call ends, by the clock of `performance`
   * @returns `false` when the call would end before
   */
  wait(delayMs: number, end: number, signal: AbortSignal): Promise<boolean>;
  /** Adds tokens for a request that is not to be retried. */
  succeed(isRetry: boolean): void;
}

/** How long it takes until a token is added: when all calls wait, one of them tries whether the service is back. */
const REFILL_MS = 1_000;

export function createRetryBudget({ maxTokens = 100, tokenRatio = 0.1 }: RetryThrottling = {}): RetryBudget {
  let tokens = maxTokens;
  let refilledAt = performance.now();

  const add = (more: number) => {
    tokens = Math.min(maxTokens, tokens + more);
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
    async wait(delayMs, end, signal) {
      for (let ms = delayMs; performance.now() + ms < end; ms = Math.random() * REFILL_MS) {
        await sleep(ms, signal);
        // The next attempt reports that the call was aborted.
        if (signal.aborted || take()) return true;
      }
      return false;
    },

    succeed: (isRetry) => add(isRetry ? 1 + tokenRatio : tokenRatio),
  };
}
