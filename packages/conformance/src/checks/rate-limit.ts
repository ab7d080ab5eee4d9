import { type Check, defineReadOnlyChecks } from '../check.ts';
import { expect, expectError, expectRetryAfter, type RawResponse } from '../http/response.ts';
import { send, sendOnce } from '../http/send.ts';
import { sendSample } from '../samples/sample.ts';
import { defineRule } from './rules/rule.ts';

const POLICY = /^"(?<name>[^"]+)";q=(?<quota>\d+);w=[1-9]\d*$/;
const LIMIT = /^"(?<name>[^"]+)";r=(?<remaining>\d+);t=\d+$/;

/** The suite tries to reach the limit only if fewer requests than this are left. */
const MAX_REQUESTS = 200;

/**
 * Reads the RateLimit headers of a response (draft-ietf-httpapi-ratelimit-headers).
 * @returns how many requests are left; `undefined` without a limit
 * @throws ConformanceError unless both headers have one policy in these forms and agree, or both are absent
 */
function remainingOf(response: RawResponse): number | undefined {
  const policyHeader = response.headers.get('ratelimit-policy');
  const limitHeader = response.headers.get('ratelimit');
  if (policyHeader === null && limitHeader === null) return undefined;
  const policy = POLICY.exec(policyHeader ?? '')?.groups;
  expect(response, policy !== undefined, 'a RateLimit-Policy such as "a";q=60;w=60', policyHeader);
  const limit = LIMIT.exec(limitHeader ?? '')?.groups;
  expect(response, limit !== undefined, 'a RateLimit such as "a";r=58;t=1', limitHeader);
  const isWithin = Number(limit.remaining) <= Number(policy.quota);
  expect(response, limit.name === policy.name && isWithin, 'a RateLimit within the policy', limitHeader);
  return Number(limit.remaining);
}

export const rateLimitHeaders = defineRule(
  'decision: rate limit',
  '… states how many requests are left, if there is a limit',
  async (target, sample) => {
    const isLimited = remainingOf(await send(target, 'GET', '/pets?limit=1')) !== undefined;
    const response = await sendSample(target, sample);
    const hasHeaders = remainingOf(response) !== undefined;
    expect(response, hasHeaders === isLimited, 'RateLimit in all responses or in none');
  },
);

export const rateLimit: Check[] = defineReadOnlyChecks('decision: rate limit', {
  'A 429 beyond the limit, if it can be reached, has the seconds to wait in Retry-After': async (target) => {
    for (let sent = 0; sent <= MAX_REQUESTS; sent += 1) {
      const response = await sendOnce(target, 'GET', '/pets?limit=1');
      const remaining = remainingOf(response);
      if (response.status === 429) {
        expectError(response, 429, 'rate_limited');
        return expectRetryAfter(response);
      }
      if (remaining === undefined || remaining >= MAX_REQUESTS) return;
    }
    // No 429 came: the limit refills faster than these requests arrive, or several servers count them separately.
  },
});
