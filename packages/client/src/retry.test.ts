import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultLimits } from './options.ts';
import { isPassing, retryDelay } from './retry.ts';

const delayFor = (headers: Record<string, string>) => retryDelay(1, new Headers(headers), defaultLimits);

afterEach(() => vi.restoreAllMocks());

test.each([408, 429, 500, 502, 503, 504])('the status %i passes, whoever answers with it', (status) => {
  expect(isPassing(status)).toBe(true);
});

test.each([200, 201, 304, 400, 401, 404, 409, 413, 415, 422, 431, 501])(
  'the status %i does not',
  (status) => {
    expect(isPassing(status)).toBe(false);
  },
);

test('of the conflicts, only a creation that is still in flight passes', () => {
  expect(isPassing(409, 'idempotency_key_in_flight')).toBe(true);
  expect(isPassing(409, 'other')).toBe(false);
});

describe('the wait before a retry', () => {
  test('doubles from half a second to eight, and is anything below', () => {
    const waits = (random: number) => {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      return [1, 2, 3, 4, 5, 6, 60].map((retry) => retryDelay(retry, undefined, defaultLimits));
    };
    expect(waits(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(waits(0.5)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
    expect(waits(0)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  test('is what Retry-After asks for in seconds', () => {
    expect(delayFor({ 'retry-after': '0' })).toBe(0);
    expect(delayFor({ 'retry-after': '7' })).toBe(7000);
    expect(delayFor({ 'retry-after': '60' })).toBe(60_000);
  });

  test('is what Retry-After asks for as a date, by the clock of the service', () => {
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(delayFor({ date, 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toBe(30_000);
    expect(delayFor({ date, 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' })).toBe(0);
  });

  test('is by our own clock where the service tells none', () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
    expect(delayFor({ 'retry-after': inTenSeconds })).toSatisfy((delay) => delay > 8_000 && delay <= 10_000);
  });

  test('is not waited at all when Retry-After is beyond a minute', () => {
    expect(delayFor({ 'retry-after': '61' })).toBeUndefined();
    expect(delayFor({ 'retry-after': '9'.repeat(400) })).toBeUndefined();
    expect(delayFor({ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toBeUndefined();
  });

  test.each(['', '-5', '1.5', 'soon', '5 GMT x', 'never GMT'])(
    'does not heed %o as a Retry-After',
    (field) => {
      vi.spyOn(Math, 'random').mockReturnValue(1);
      expect(delayFor({ 'retry-after': field })).toBe(500);
    },
  );
});
