import { parseRetryAfter } from '../responses/retryable.ts';

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
