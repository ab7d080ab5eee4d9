import { expect, test } from 'vitest';
import { isRetryable } from './retryable.ts';

test.each([408, 429, 500, 502, 503, 504])('the status %i is retryable', (status) => {
  expect(isRetryable(status)).toBe(true);
});

test.each([200, 201, 304, 400, 401, 404, 409, 413, 415, 422, 431, 501])(
  'the status %i is not retryable',
  (status) => {
    expect(isRetryable(status)).toBe(false);
  },
);

test('a conflict is retryable only while the first creation is in flight', () => {
  expect(isRetryable(409, 'idempotency_key_in_flight')).toBe(true);
  expect(isRetryable(409, 'other')).toBe(false);
});
