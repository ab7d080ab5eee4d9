import { expect, test } from 'vitest';
import { defaultLimits, mergeLimits } from './options.ts';

test('later limits win, and an undefined limit sets nothing', () => {
  const limits = {
    timeoutMs: 1,
    attemptTimeoutMs: 2,
    retries: 3,
    retryDelayMs: 4,
    maxRetryDelayMs: 5,
    maxRetryAfterMs: 6,
  } satisfies typeof defaultLimits;
  expect(mergeLimits({})).toEqual(defaultLimits);
  expect(mergeLimits(limits)).toEqual(limits);
  expect(mergeLimits({ retries: 9 }, limits, { timeoutMs: undefined })).toEqual(limits);
  expect(mergeLimits(limits, { timeoutMs: 0 })).toEqual({ ...limits, timeoutMs: 0 });
});
