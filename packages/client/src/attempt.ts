import type { Received } from './answer.ts';
import { blotError } from './blot.ts';
import type { Call } from './calls.ts';
import type { Operation } from './contract.ts';
import { startDeadline } from './deadline.ts';
import { createDeprecationNotice } from './deprecation.ts';
import { NoAnswerError } from './errors/index.ts';
import { exchange, headersOf } from './exchange.ts';
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
 */
export function createAttempt({ apiKey, onRequest, onResponse, ...connection }: ConnectionOptions) {
  // Looked up for each request, since test tools replace the global one.
  const { fetch = (url, init) => globalThis.fetch(url, init) } = connection;
  const noticeDeprecation = createDeprecationNotice(connection.onDeprecation);

  return async (call: Call<Operation>, attempt: Attempt): Promise<Received | NoAnswerError> => {
    const { operation, address } = call;
    const { number, timeoutMs, whole } = attempt;
    if (whole.aborted) return noAnswer(call, attempt, whole);
    const headers = headersOf(call);
    const { method } = routes[operation];
    onRequest?.({ operation, attempt: number, method, url: address.href, headers });

    const start = performance.now();
    const { signal, release } = startDeadline(timeoutMs, whole);
    const received = await exchange(call, { apiKey, fetch, headers, signal })
      .catch((error: unknown) => noAnswer(call, attempt, signal, blotError(error, apiKey)))
      .finally(release);
    if (received instanceof NoAnswerError) return received;

    noticeDeprecation(operation, received.headers);
    const milliseconds = performance.now() - start;
    const { status, requestId } = received;
    onResponse?.({ operation, attempt: number, status, headers: received.headers, requestId, milliseconds });
    return received;
  };
}

function noAnswer(
  { operation, content }: Call<Operation>,
  { number, caller }: Attempt,
  signal: AbortSignal,
  cause?: Error,
): NoAnswerError {
  const code = caller?.aborted ? 'aborted' : signal.aborted ? 'timeout' : 'no_answer';
  const why = { aborted: 'the caller ended it', timeout: 'time ran out', no_answer: 'the connection failed' };
  return new NoAnswerError(`There was no answer to ${operation}: ${why[code]} (attempt ${number})`, {
    code,
    retryable: code !== 'aborted',
    idempotencyKey: content?.idempotencyKey,
    cause: signal.aborted ? signal.reason : cause,
  });
}
