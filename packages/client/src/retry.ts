import type { ErrorCode } from '@petstore/contract';
import { parseDate } from './date.ts';

/** Statuses that pass, whoever answers with them: the service or something before it. */
const PASSING = [408, 429, 500, 502, 503, 504];

const IN_FLIGHT: ErrorCode = 'idempotency_key_in_flight';

/**
 * Whether an answer may well be another one soon. To ask again is safe for every operation of the
 * contract: a GET changes nothing, and each createPet carries an Idempotency-Key.
 */
export function isPassing(status: number, code?: string): boolean {
  return PASSING.includes(status) || (status === 409 && code === IN_FLIGHT);
}

interface Delays {
  retryDelayMs: number;
  maxRetryDelayMs: number;
  maxRetryAfterMs: number;
}

/**
 * How long to wait before a retry: as long as the answer's `Retry-After` asks for (RFC 9110, section
 * 10.2.3), otherwise a random time below a limit that doubles with each ("full jitter").
 *
 * @param retry 1 for the first
 * @returns milliseconds, or `undefined` when the service asks for a longer wait than is allowed
 */
export function retryDelay(retry: number, headers: Headers | undefined, delays: Delays): number | undefined {
  const asked = headers && retryAfter(headers);
  if (asked !== undefined) return asked <= delays.maxRetryAfterMs ? asked : undefined;
  return Math.random() * Math.min(delays.maxRetryDelayMs, delays.retryDelayMs * 2 ** (retry - 1));
}

/** @returns the milliseconds that a `Retry-After` asks for (RFC 9110, section 10.2.3) */
export function retryAfter(headers: Headers): number | undefined {
  const field = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const date = parseDate(field);
  // Against the service's own clock where it tells it, since ours may be wrong.
  return date && Math.max(0, date - (parseDate(headers.get('date')) ?? Date.now()));
}
