import { type CallOptions, limitsOf } from '../call-options.ts';
import { type Operation, operations } from '../contract.ts';
import { checkLimits } from '../diagnostics/check-options.ts';
import { PetStoreError } from '../errors.ts';
import type { ConnectionOptions } from '../options.ts';
import type { OperationRequest } from '../requests/build-request.ts';
import { classifyResponse } from '../responses/classify.ts';
import type { PetStoreResponses } from '../responses/response.ts';
import { createAttemptSender } from './attempt.ts';
import { startDeadline } from './deadline.ts';
import { createRetryBudget } from './retry-budget.ts';
import { isTransient, retryDelay } from './retry-delay.ts';

/** Sends a request, with retries. @throws PetStoreError when no response of the contract is received */
type Send = <Name extends Operation>(
  request: OperationRequest<Name>,
  options?: CallOptions,
) => Promise<PetStoreResponses[Name]>;

// As a string, because no operation of this version has the value "never".
const isRepeatable = (operation: Operation) => String(operations[operation].retry) !== 'never';

/** @throws TypeError for a limit that cannot work */
export function createSender(connection: ConnectionOptions): Send {
  checkLimits(connection);
  const sendAttempt = createAttemptSender(connection);
  const budget = createRetryBudget();

  return async (request, options = {}) => {
    checkLimits(options);
    const { operation } = request;
    const limits = limitsOf(options, connection);
    const end = performance.now() + limits.timeoutMs;
    const { signal: callSignal, release } = startDeadline(limits.timeoutMs, options.signal);
    try {
      for (let number = 1; ; number += 1) {
        const deadline = startDeadline(limits.attemptTimeoutMs, callSignal);
        const attempt = { number, options, signal: deadline.signal };
        const outcome = await sendAttempt(request, attempt).finally(deadline.release);
        const isTransientFailure = isTransient(outcome);
        // A call that its caller aborts says nothing about the service.
        if (!isTransientFailure && !callSignal.aborted) budget.credit(number);
        const canRetry = isTransientFailure && !callSignal.aborted && isRepeatable(operation);
        const delayMs = canRetry ? retryDelay(outcome, number, limits) : undefined;
        // A delay beyond the end of the call would only hold back the error.
        if (delayMs !== undefined && performance.now() + delayMs < end) {
          connection.onRetry?.({ operation, attempt: number, delayMs, status: outcome.status });
          if (await budget.wait(delayMs, end, callSignal)) continue;
        }
        if (outcome instanceof PetStoreError) throw outcome;
        return classifyResponse(request, outcome);
      }
    } finally {
      release();
    }
  };
}
