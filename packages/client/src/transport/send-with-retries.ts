import type { Operation } from '../contract.ts';
import { PetStoreError } from '../errors/index.ts';
import { type CallOptions, type ConnectionOptions, type Limits, mergeLimits } from '../options.ts';
import type { OperationRequest } from '../requests/request-builders.ts';
import { classifyResponse } from '../responses/classify.ts';
import { isErrorBody, type PetStoreResponse, type ReceivedResponse } from '../responses/response.ts';
import { isRetryable } from '../responses/retryable.ts';
import { createAttempt } from './attempt.ts';
import { sleep, startDeadline } from './deadline.ts';
import { retryDelay } from './retry-delay.ts';

/**
 * Sends a request, with retries, and returns the contract's response to it.
 *
 * @throws PetStoreError when there is no response, or one outside the contract
 */
type Send = <Name extends Operation>(
  request: OperationRequest<Name>,
  options?: CallOptions,
) => Promise<PetStoreResponse<Name>>;

/**
 * Creates the function that every call goes through.
 *
 * @throws TypeError when the API key cannot be sent in a header
 */
export function createSender(connection: ConnectionOptions): Send {
  const attemptOnce = createAttempt(connection);

  return async (request, options = {}) => {
    const { operation } = request;
    const { signal: callerSignal } = options;
    const limits = mergeLimits(connection, options);
    const { timeoutMs, attemptTimeoutMs, retries } = limits;
    const end = performance.now() + timeoutMs;
    const { signal: callSignal, release } = startDeadline(timeoutMs, callerSignal);
    try {
      for (let number = 1; ; number += 1) {
        const attempt = { number, timeoutMs: attemptTimeoutMs, callSignal, callerSignal };
        const outcome = await attemptOnce(request, attempt);
        const delayMs = number > retries ? undefined : delayAfter(outcome, number, limits);
        // A delay beyond the end of the call would only hold the error back.
        if (delayMs === undefined || performance.now() + delayMs >= end) {
          if (outcome instanceof PetStoreError) throw outcome;
          return classifyResponse(request, outcome, connection.validate);
        }
        connection.onRetry?.({ operation, attempt: number, delayMs, status: outcome.status });
        // If the caller aborts the delay, the next attempt reports it.
        await sleep(delayMs, callSignal);
      }
    } finally {
      release();
    }
  };
}

/** Milliseconds to wait before the next attempt, or `undefined` when there is to be none. */
function delayAfter(
  outcome: ReceivedResponse | PetStoreError,
  retry: number,
  limits: Limits,
): number | undefined {
  if (outcome instanceof PetStoreError) {
    return outcome.isRetryable ? retryDelay(retry, undefined, limits) : undefined;
  }
  const { status, headers, body } = outcome;
  const code = isErrorBody(body) ? body.code : undefined;
  return isRetryable(status, code) ? retryDelay(retry, headers, limits) : undefined;
}
