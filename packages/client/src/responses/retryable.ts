import type { PetStoreErrorCode } from '../errors.ts';

/** Statuses of transient failures of the service or a proxy. */
const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504];

/** Whether the same request may succeed later. */
export function isRetryable(status: number, code?: PetStoreErrorCode): boolean {
  return RETRYABLE_STATUSES.includes(status) || (status === 409 && code === 'idempotency_key_in_flight');
}

/** @returns the milliseconds that `Retry-After` asks for, `undefined` without a valid one */
export function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = parseHttpDate(value);
  // Relative to the response's Date, if it has one: the local clock may be wrong.
  return date && Math.max(0, date - (parseHttpDate(headers.get('date')) ?? Date.now()));
}

/**
 * Parses an HTTP date (RFC 9110, section 5.6.7). `Date.parse` alone would also accept `1.5`.
 * @returns milliseconds since 1970, or `undefined` when the value is not a date
 */
function parseHttpDate(value: string | null): number | undefined {
  return value?.endsWith(' GMT') ? Date.parse(value) || undefined : undefined;
}
