import { HttpError } from '../http-error.ts';
import { contextOf, type RateLimit, type Step } from '../request-context.ts';

/**
 * Refuses the requests of an API key beyond its rate with 429, and says with each response how many are left
 * (draft-ietf-httpapi-ratelimit-headers-11). Both keys of a rotation have one limit together. It counts in this process.
 */
export function limitRate(): Step {
  const limiter = new RateLimiter();
  return (_req, res, next) => {
    const { apiKey, start } = contextOf(res);
    if (apiKey === undefined) throw new Error('The rate is limited before the request is authenticated');
    const { owner, rateLimit } = apiKey;
    if (rateLimit === undefined) {
      next();
      return;
    }
    const { isAllowed, remaining, seconds } = limiter.take(owner, rateLimit, start);
    const policy = `"default";q=${rateLimit.requests};w=${rateLimit.seconds}`;
    res.set({ 'RateLimit-Policy': policy, RateLimit: `"default";r=${remaining};t=${seconds}` });
    if (!isAllowed) {
      throw new HttpError(
        'rate_limited',
        `The API key may send ${rateLimit.requests} requests in ${rateLimit.seconds} seconds.`,
        { 'Retry-After': String(seconds) },
      );
    }
    next();
  };
}

/** What the limiter says of a request. */
interface RateDecision {
  readonly isAllowed: boolean;
  /** Requests that are allowed at once after this one. */
  readonly remaining: number;
  /** Whole seconds until there is one more. */
  readonly seconds: number;
}

/** How often callers are dropped that have sent nothing for a while. */
const SWEEP_INTERVAL_MS = 60_000;

/** A sum of fractions of milliseconds is not exact. */
const TOLERANCE = 1e-6;

/**
 * A token bucket for each caller, by the generic cell rate algorithm: its only state is when the bucket will be full
 * again. A caller may send all of its requests at once and gets new ones evenly over the time. rate-limiter-flexible
 * counts in fixed windows instead, so that a refused caller waits for the end of one, and costs a promise and a timer:
 * three times as much for each request (0.35 against 0.13 µs).
 */
export class RateLimiter {
  readonly #fullAt = new Map<string, number>();
  #nextSweep = 0;

  /** Callers that are kept. */
  get size(): number {
    return this.#fullAt.size;
  }

  /**
   * Counts a request, if it is allowed.
   *
   * @param limit of this caller: another one than before holds from now on
   * @param now milliseconds of a clock that does not run back
   */
  take(caller: string, { requests, seconds }: RateLimit, now: number): RateDecision {
    if (now >= this.#nextSweep) this.#sweep(now);
    const windowMs = seconds * 1_000;
    /** From one request to the next when they are spread evenly. */
    const intervalMs = windowMs / requests;
    const remainingAt = (fullAt: number) => Math.floor((windowMs - (fullAt - now)) / intervalMs + TOLERANCE);

    // Never emptier than empty: the limit before may have had a longer time.
    const before = Math.min(Math.max(this.#fullAt.get(caller) ?? now, now), now + windowMs);
    const after = before + intervalMs;
    const isAllowed = remainingAt(after) >= 0;
    const fullAt = isAllowed ? after : before;
    this.#fullAt.set(caller, fullAt);
    const remaining = Math.max(0, remainingAt(fullAt));
    const nextAt = fullAt - windowMs + (remaining + 1) * intervalMs;
    return { isAllowed, remaining, seconds: Math.max(1, Math.ceil((nextAt - now) / 1_000 - TOLERANCE)) };
  }

  /** Drops callers whose bucket is full: they are like new ones. */
  #sweep(now: number): void {
    this.#nextSweep = now + SWEEP_INTERVAL_MS;
    for (const [caller, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(caller);
  }
}
