import type { Received } from './answer.ts';
import { blotError } from './blot.ts';
import type { Call } from './calls.ts';
import type { Operation } from './contract.ts';
import { startDeadline, until } from './deadline.ts';
import { createDeprecationNotice } from './deprecation.ts';
import { NoAnswerError } from './errors/index.ts';
import { exchange, headersOf } from './exchange.ts';
import { createKeySource } from './key.ts';
import type { ConnectionOptions } from './options.ts';
import { routes } from './routes.ts';

export interface Attempt {
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

  async function send(call: Call<Operation>, attempt: Attempt, headers: Headers) {
    const { signal, release } = startDeadline(attempt.timeoutMs, attempt.whole);
    let apiKey: string | undefined;
    try {
      apiKey = await until(signal, giveKey);
      return await exchange(call, { apiKey, fetch, headers, signal });
    } catch (error) {
      // Nothing was sent without a key: what went wrong is the program's.
      if (apiKey === undefined && !signal.aborted) throw error;
      return noAnswer(call, attempt, signal, blotError(error, apiKey ?? ''));
    } finally {
      release();
    }
  }

  return async (call: Call<Operation>, attempt: Attempt): Promise<Received | NoAnswerError> => {
    if (attempt.whole.aborted) return noAnswer(call, attempt, attempt.whole);
    const { operation, address } = call;
    const event = { operation, attempt: attempt.number };
    const headers = headersOf(call);
    onRequest?.({ ...event, method: routes[operation].method, url: address.href, headers });

    const start = performance.now();
    const outcome = await send(call, attempt, headers);
    const milliseconds = performance.now() - start;
    if (outcome instanceof NoAnswerError) {
      onNoAnswer?.({ ...event, error: outcome, milliseconds });
    } else {
      noticeDeprecation(call, outcome.headers);
      const { status, headers, requestId } = outcome;
      onResponse?.({ ...event, status, headers, requestId, milliseconds });
    }
    return outcome;
  };
}

function noAnswer(
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
