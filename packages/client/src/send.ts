import { isError, type Received } from './answer.ts';
import { createAttempt } from './attempt.ts';
import type { Call } from './calls.ts';
import type { Answer, Operation } from './contract.ts';
import { sleep, startDeadline } from './deadline.ts';
import { NoAnswerError } from './errors/index.ts';
import { judge } from './judge.ts';
import { type CallOptions, type ConnectionOptions, type Limits, limitsOf } from './options.ts';
import { isPassing, retryDelay } from './retry.ts';

/**
 * Sends a call, again where that may help, and gives the contract's answer to it.
 *
 * @throws PetStoreError when there is no answer, or one that the contract does not have
 */
type Send = <Name extends Operation>(call: Call<Name>, options?: CallOptions) => Promise<Answer<Name>>;

/**
 * Makes the function that every call goes through.
 *
 * @throws TypeError when the key cannot stand in a header field
 */
export function createSend(connection: ConnectionOptions): Send {
  const tryOnce = createAttempt(connection);

  return async (call, options = {}) => {
    const { signal: caller } = options;
    const limits = limitsOf(connection, options);
    const { timeoutMs, attemptTimeoutMs, retries } = limits;
    const end = performance.now() + timeoutMs;
    const { signal: whole, release } = startDeadline(timeoutMs, caller);
    try {
      for (let number = 1; ; number += 1) {
        const outcome = await tryOnce(call, { number, timeoutMs: attemptTimeoutMs, whole, caller });
        const delay = number > retries ? undefined : delayAfter(outcome, number, limits);
        // To wait for nothing would only keep the caller from knowing.
        if (delay === undefined || performance.now() + delay >= end) {
          if (outcome instanceof NoAnswerError) throw outcome;
          return judge(call, outcome, connection.validate);
        }
        // When the caller ends the wait, the next attempt says so.
        await sleep(delay, whole);
      }
    } finally {
      release();
    }
  };
}

/** Milliseconds to wait before another attempt, or `undefined` when there is to be none. */
function delayAfter(outcome: Received | NoAnswerError, retry: number, limits: Limits): number | undefined {
  if (outcome instanceof NoAnswerError) {
    return outcome.retryable ? retryDelay(retry, undefined, limits) : undefined;
  }
  const { status, headers, body } = outcome;
  const code = isError(body) ? body.code : undefined;
  return isPassing(status, code) ? retryDelay(retry, headers, limits) : undefined;
}
