import type { Step } from '../pipeline/step.ts';
import { HttpError } from '../responses/http-error.ts';
import { RateLimiter } from './rate-limiter.ts';

/**
 * Refuses the requests of an API key beyond its rate with 429, and says with each response how many are left
 * (draft-ietf-httpapi-ratelimit-headers-11). Both keys of a rotation have one limit together. It counts in this process.
 */
export function limitRate(): Step {
  const limiter = new RateLimiter();
  return ({ apiKey, start, headers }) => {
    if (apiKey === undefined) throw new Error('The rate is limited before the request is authenticated');
    const { owner, rateLimit } = apiKey;
    if (rateLimit === undefined) return undefined;
    const { isAllowed, remaining, seconds } = limiter.take(owner, rateLimit, start);
    const policy = `"default";q=${rateLimit.requests};w=${rateLimit.seconds}`;
    headers.push('RateLimit-Policy', policy, 'RateLimit', `"default";r=${remaining};t=${seconds}`);
    if (isAllowed) return undefined;
    throw new HttpError(
      'rate_limited',
      `The API key may send ${rateLimit.requests} requests in ${rateLimit.seconds} seconds.`,
      ['Retry-After', String(seconds)],
    );
  };
}
