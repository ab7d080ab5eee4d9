import { expectError } from './error-response.ts';
import { expect, type RawResponse } from './raw-response.ts';

const POLICY = /^"(?<name>[^"]+)";q=(?<quota>\d+);w=(?<window>[1-9]\d*)$/;
const LIMIT = /^"(?<name>[^"]+)";r=(?<remaining>\d+);t=\d+$/;

/**
 * Holds the RateLimit headers of a response to their notation (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws ConformanceError unless they are well-formed and agree, or both absent
 */
export function expectRateLimitHeaders(response: RawResponse): void {
  const policyHeader = response.headers.get('ratelimit-policy');
  const limitHeader = response.headers.get('ratelimit');
  if (policyHeader === null && limitHeader === null) return;
  const policy = POLICY.exec(policyHeader ?? '')?.groups;
  expect(response, policy !== undefined, `a well-formed RateLimit-Policy rather than ${policyHeader}`);
  const limit = LIMIT.exec(limitHeader ?? '')?.groups;
  expect(response, limit !== undefined, `a well-formed RateLimit rather than ${limitHeader}`);
  const isWithin = Number(limit.remaining) <= Number(policy.quota);
  expect(response, limit.name === policy.name && isWithin, `a RateLimit within ${policyHeader}`);
}

/**
 * Holds a response with the status 429 to the contract.
 *
 * @returns the seconds that it asks to wait
 */
export function expectRateLimited(response: RawResponse): number {
  expectError(response, 429, 'rate_limited');
  expectRateLimitHeaders(response);
  const retryAfter = response.headers.get('retry-after') ?? '';
  expect(response, /^[1-9]\d*$/.test(retryAfter), `Retry-After in seconds rather than "${retryAfter}"`);
  return Number(retryAfter);
}
