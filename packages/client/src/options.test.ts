import { expect, test } from 'vitest';
import { defaultLimits, limitsOf } from './options.ts';

test('of the limits, the last that says anything counts, for each of them', () => {
  const limits = {
    timeoutMs: 1,
    attemptTimeoutMs: 2,
    retries: 3,
    retryDelayMs: 4,
    maxRetryDelayMs: 5,
    maxRetryAfterMs: 6,
  } satisfies typeof defaultLimits;
  expect(limitsOf({})).toEqual(defaultLimits);
  expect(limitsOf(limits)).toEqual(limits);
  expect(limitsOf({ retries: 9 }, limits, { timeoutMs: undefined })).toEqual(limits);
  expect(limitsOf(limits, { timeoutMs: 0 })).toEqual({ ...limits, timeoutMs: 0 });
});
