import { HttpError } from '../http-error.ts';
import type { Step } from '../pipeline.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';

/**
 * Refuses the requests of an API key beyond its rate with 429, and says with each response how many are left
 * (draft-ietf-httpapi-ratelimit-headers-11). Both keys of a rotation have one limit together.
 *
 * @param limit of each key in this process
 */
export function limitRate(limit: RateLimit): Step {
  const limiter = new RateLimiter(limit);
  const policy = `"default";q=${limit.requests};w=${limit.seconds}`;
  return ({ apiKey, start, headers }) => {
    if (apiKey === undefined) throw new Error('The rate is limited before the request is authenticated');
    const { isAllowed, remaining, seconds } = limiter.take(apiKey.owner, start);
    headers.push('RateLimit-Policy', policy, 'RateLimit', `"default";r=${remaining};t=${seconds}`);
    if (isAllowed) return undefined;
    throw new HttpError(
      'rate_limited',
      `The API key may send ${limit.requests} requests in ${limit.seconds} seconds.`,
      ['Retry-After', String(seconds)],
    );
  };
}
