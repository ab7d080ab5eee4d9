import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultLimits } from '../options.ts';
import { retryDelay } from './retry-delay.ts';

const delayFor = (headers: Record<string, string>) => retryDelay(1, new Headers(headers), defaultLimits);

afterEach(() => vi.restoreAllMocks());

describe('the delay before a retry', () => {
  test('is random up to a limit that doubles from half a second to eight', () => {
    const delays = (random: number) => {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      return [1, 2, 3, 4, 5, 6, 60].map((retry) => retryDelay(retry, undefined, defaultLimits));
    };
    expect(delays(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(delays(0.5)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
    expect(delays(0)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  test('is the Retry-After in seconds', () => {
    expect(delayFor({ 'retry-after': '0' })).toBe(0);
    expect(delayFor({ 'retry-after': '7' })).toBe(7000);
    expect(delayFor({ 'retry-after': '60' })).toBe(60_000);
  });

  test('is the time to the date of Retry-After by the clock of the service', () => {
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(delayFor({ date, 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toBe(30_000);
    expect(delayFor({ date, 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' })).toBe(0);
  });

  test('is the time to the date of Retry-After by the local clock when the response has no date', () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
    expect(delayFor({ 'retry-after': inTenSeconds })).toSatisfy((delay) => delay > 8_000 && delay <= 10_000);
  });

  test('is undefined when Retry-After is beyond a minute', () => {
    expect(delayFor({ 'retry-after': '61' })).toBeUndefined();
    expect(delayFor({ 'retry-after': '9'.repeat(400) })).toBeUndefined();
    expect(delayFor({ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toBeUndefined();
  });

  test.each(['', '-5', '1.5', 'soon', '5 GMT x', 'never GMT'])(
    'ignores the invalid Retry-After %o',
    (value) => {
      vi.spyOn(Math, 'random').mockReturnValue(1);
      expect(delayFor({ 'retry-after': value })).toBe(500);
    },
  );
});
