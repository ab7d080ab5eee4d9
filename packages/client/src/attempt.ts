import type { Received } from './answer.ts';
import { createKeySource } from './api-key.ts';
import { blotError } from './blot.ts';
import type { Call } from './calls.ts';
import type { Operation } from './contract.ts';
import { startDeadline, until } from './deadline.ts';
import { createDeprecationNotice } from './deprecation.ts';
import { NoAnswerError } from './errors/index.ts';
import { exchange, headersOf } from './exchange.ts';
import type { ConnectionOptions } from './options.ts';
import { routes } from './routes.ts';

interface Attempt {
  /** 1 for the first. */
  number: number;
  timeoutMs: number;
  /** Aborts when the whole call is to end. */
  whole: AbortSignal;
  /** The caller's own signal. */
  caller: AbortSignal | undefined;
}

/**
 * Makes the function that tries a call once: it calls the hooks, keeps to the attempt's time, and gives
 * whatever came back, or the error that nothing did.
 *
 * @throws TypeError when the key cannot stand in a header field
 */
export function createAttempt({ onRequest, onResponse, onNoAnswer, ...connection }: ConnectionOptions) {
  // Looked up for each request, since test tools replace the global one.
  const { fetch = (url, init) => globalThis.fetch(url, init) } = connection;
  const giveKey = createKeySource(connection.apiKey);
  const noticeDeprecation = createDeprecationNotice(connection.onDeprecation);

  return async (call: Call<Operation>, attempt: Attempt): Promise<Received | NoAnswerError> => {
    const { signal, release } = startDeadline(attempt.timeoutMs, attempt.whole);
    const noAnswer = (failure?: Error) => noAnswerError(call, attempt, signal, failure);
    try {
      const apiKey = await until(signal, giveKey).catch((error: unknown) => {
        // What else goes wrong here is the program's.
        if (signal.aborted) return noAnswer();
        throw error;
      });
      if (apiKey instanceof NoAnswerError) return apiKey;

      const { operation, address } = call;
      const event = { operation, attempt: attempt.number };
      const headers = headersOf(call);
      onRequest?.({ ...event, method: routes[operation].method, url: address.href, headers });

      const start = performance.now();
      const outcome = await exchange(call, { apiKey, fetch, headers, signal }).catch((error: unknown) =>
        noAnswer(blotError(error, apiKey)),
      );
      const milliseconds = performance.now() - start;
      if (outcome instanceof NoAnswerError) {
        onNoAnswer?.({ ...event, error: outcome, milliseconds });
      } else {
        noticeDeprecation(call, outcome.headers);
        const { status, headers, requestId } = outcome;
        onResponse?.({ ...event, status, headers, requestId, milliseconds });
      }
      return outcome;
    } finally {
      release();
    }
  };
}

function noAnswerError(
  { operation, content }: Call<Operation>,
  { number, caller }: Attempt,
  signal: AbortSignal,
  failure?: Error,
): NoAnswerError {
  const code = caller?.aborted ? 'aborted' : signal.aborted ? 'timeout' : 'no_answer';
  const cause: unknown = signal.aborted ? signal.reason : failure;
  return new NoAnswerError(`There was no answer to ${operation} (attempt ${number}): ${String(cause)}`, {
    code,
    status: undefined,
    retryable: code !== 'aborted',
    idempotencyKey: content?.idempotencyKey,
    cause,
  });
}
