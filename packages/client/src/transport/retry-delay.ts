import type { Limits } from '../call-options.ts';
import { PetStoreError } from '../errors.ts';
import { isErrorBody, type ReceivedResponse } from '../responses/response.ts';
import { isRetryable, parseRetryAfter } from '../responses/retryable.ts';
import type { NoResponseError } from './attempt.ts';

type Outcome = ReceivedResponse | NoResponseError;

/**
 * Statuses of failures that end by themselves: the service is away, a proxy does not reach it, or the same creation is
 * in flight.
 */
const WAIT_STATUSES = [409, 502, 503, 504];

/** How often a call is retried after other failures: a bug in the service may cause them again and again. */
const RETRIES = 2;

export function isTransient(outcome: Outcome): boolean {
  if (outcome instanceof PetStoreError) return outcome.isRetryable;
  return isRetryable(outcome.status, isErrorBody(outcome.body) ? outcome.body.code : undefined);
}

/**
 * The delay before a retry: `Retry-After` (RFC 9110, section 10.2.3) plus a random delay up to a limit that doubles
 * twice ("full jitter").
 * @param outcome the outcome of the failed attempt
 * @param retry 1 for the first retry
 * @returns milliseconds, or `undefined` for no further retry
 */
export function retryDelay(outcome: Outcome, retry: number, limits: Limits): number | undefined {
  const endsByItself = outcome instanceof PetStoreError || WAIT_STATUSES.includes(outcome.status);
  const { retries = endsByItself ? Infinity : RETRIES } = limits;
  const retryAfterMs = 'headers' in outcome ? (parseRetryAfter(outcome.headers) ?? 0) : 0;
  if (retry > retries || retryAfterMs > limits.maxRetryAfterMs) return undefined;
  const maxDelayMs = limits.retryDelayMs * Math.min(4, 2 ** (retry - 1));
  return retryAfterMs + Math.random() * maxDelayMs;
}
