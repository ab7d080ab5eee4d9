import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultLimits } from '../call-options.ts';
import { NetworkError } from '../errors.ts';
import type { ReceivedResponse } from '../responses/response.ts';
import { isTransient, retryDelay } from './retry-delay.ts';

const respond = (status: number, headers: Record<string, string> = {}): ReceivedResponse => ({
  status,
  headers: new Headers(headers),
  requestId: undefined,
  body: undefined,
});

const details = { code: 'network_error', status: undefined, isRetryable: true } as const;
const noResponse = new NetworkError('Sorry.', details);

afterEach(() => vi.restoreAllMocks());

describe('the delay before a retry', () => {
  const delayFor = (headers: Record<string, string>) => retryDelay(respond(503, headers), 1, defaultLimits);

  test('is random up to a limit that doubles from half a second to two seconds', () => {
    const delays = (random: number) => {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      return [1, 2, 3, 4, 60].map((retry) => retryDelay(noResponse, retry, defaultLimits));
    };
    expect(delays(1)).toEqual([500, 1000, 2000, 2000, 2000]);
    expect(delays(0.5)).toEqual([250, 500, 1000, 1000, 1000]);
    expect(delays(0)).toEqual([0, 0, 0, 0, 0]);
  });

  test('ends a random time after the date in Retry-After, by the clock of the service, unless it is past or invalid', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(delayFor({ date, 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toBe(30_500);
    for (const useless of ['Wed, 31 Dec 2025 00:00:00 GMT', 'soon', '-1', '', '1e9', '2027-01-01'])
      expect(delayFor({ date, 'retry-after': useless })).toBe(500);
    // Without a date of the service, the clock of the client counts.
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse(date));
    expect(delayFor({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toBe(30_500);
  });
});

test('a response without an Error body is transient by its status', () => {
  const statuses = Array.from({ length: 600 }, (_, status) => status);
  expect(statuses.filter((status) => isTransient(respond(status)))).toEqual([408, 429, 500, 502, 503, 504]);
});

test('by default retries after 409 (creation in flight), 502, 503 and 504 have no maximum, and after 408, 429 and 500 end after two', () => {
  const statuses = [408, 409, 429, 500, 502, 503, 504];
  const retriedAt = (retry: number) =>
    statuses.filter((status) => retryDelay(respond(status), retry, defaultLimits) !== undefined);
  expect(retriedAt(2)).toEqual(statuses);
  for (const retry of [3, 1_000]) expect(retriedAt(retry)).toEqual([409, 502, 503, 504]);
});
