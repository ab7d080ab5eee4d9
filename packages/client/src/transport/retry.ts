import type { ErrorCode } from '../contract.ts';
import { parseHttpDate } from './http-date.ts';

/** Statuses of transient failures, from the service or a proxy before it. */
const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504];

const IN_FLIGHT: ErrorCode = 'idempotency_key_in_flight';

/**
 * Whether the same request may succeed later. Retrying is safe for every operation: a GET changes nothing,
 * and each createPet carries an Idempotency-Key.
 */
export function isRetryable(status: number, code?: string): boolean {
  return RETRYABLE_STATUSES.includes(status) || (status === 409 && code === IN_FLIGHT);
}

interface Delays {
  retryDelayMs: number;
  maxRetryDelayMs: number;
  maxRetryAfterMs: number;
}

/**
 * The delay before a retry: that of `Retry-After` (RFC 9110, section 10.2.3), otherwise a random one up to a
 * limit that doubles with each retry ("full jitter").
 *
 * @param retry 1 for the first
 * @returns milliseconds, or `undefined` when the service asks for a longer delay than allowed
 */
export function retryDelay(retry: number, headers: Headers | undefined, delays: Delays): number | undefined {
  const retryAfterMs = headers && parseRetryAfter(headers);
  if (retryAfterMs !== undefined) return retryAfterMs <= delays.maxRetryAfterMs ? retryAfterMs : undefined;
  return Math.random() * Math.min(delays.maxRetryDelayMs, delays.retryDelayMs * 2 ** (retry - 1));
}

/** @returns the delay that `Retry-After` asks for in milliseconds, `undefined` without a valid one */
export function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = parseHttpDate(value);
  // Relative to the service's clock if the response tells it, because the local clock may be wrong.
  return date && Math.max(0, date - (parseHttpDate(headers.get('date')) ?? Date.now()));
}
