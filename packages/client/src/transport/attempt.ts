import { type Operation, routes } from '../contract.ts';
import { AbortError, NetworkError, PetStoreError, TimeoutError } from '../errors/index.ts';
import { propertiesOf } from '../objects.ts';
import type { ConnectionOptions } from '../options.ts';
import { createApiKeyProvider } from '../requests/api-key.ts';
import type { OperationRequest } from '../requests/request-builders.ts';
import { createDeprecationNotifier } from '../responses/deprecation.ts';
import type { ReceivedResponse } from '../responses/response.ts';
import { startDeadline, unlessAborted } from './deadline.ts';
import { redactError } from './redact.ts';
import { buildHeaders, sendRequest } from './send-request.ts';

interface Attempt {
  /** 1 for the first. */
  number: number;
  timeoutMs: number;
  /** Aborts when the whole call ends. */
  callSignal: AbortSignal;
  /** The caller's own signal. */
  callerSignal: AbortSignal | undefined;
}

type NoResponseError = NetworkError | TimeoutError | AbortError;

/**
 * Creates the function that sends a request once, within the timeout of an attempt, and calls the hooks. It
 * returns the response, or the error that there is none.
 *
 * @throws TypeError when the API key cannot be sent in a header
 */
export function createAttempt({ onRequest, onResponse, onError, ...connection }: ConnectionOptions) {
  // Looked up for each request, because test tools replace the global function.
  const { fetch = (url, init) => globalThis.fetch(url, init) } = connection;
  const getApiKey = createApiKeyProvider(connection.apiKey);
  const notifyDeprecation = createDeprecationNotifier(connection.onDeprecation);

  return async (
    request: OperationRequest<Operation>,
    attempt: Attempt,
  ): Promise<ReceivedResponse | NoResponseError> => {
    const { signal, release } = startDeadline(attempt.timeoutMs, attempt.callSignal);
    try {
      const apiKey = await unlessAborted(signal, getApiKey).catch((error: unknown) => {
        if (signal.aborted) return createError(request, attempt, signal);
        // The error of the caller's own function is the caller's.
        throw error;
      });
      if (apiKey instanceof PetStoreError) return apiKey;

      const { operation, url } = request;
      const event = { operation, attempt: attempt.number };
      const headers = buildHeaders(request);
      onRequest?.({ ...event, method: routes[operation].method, url: url.href, headers });

      const start = performance.now();
      const outcome = await sendRequest(request, { apiKey, fetch, headers, signal }).catch((error: unknown) =>
        createError(request, attempt, signal, redactError(error, apiKey)),
      );
      const durationMs = performance.now() - start;
      if (outcome instanceof PetStoreError) {
        onError?.({ ...event, error: outcome, durationMs });
      } else {
        notifyDeprecation(request, outcome.headers);
        const { body, ...head } = outcome;
        onResponse?.({ ...event, ...head, durationMs });
      }
      return outcome;
    } finally {
      release();
    }
  };
}

/** @param failure what `fetch` threw; not used when the signal aborted, whose reason is the cause then */
function createError(
  { operation, url, content }: OperationRequest<Operation>,
  { number, callerSignal }: Attempt,
  signal: AbortSignal,
  failure?: Error,
): NoResponseError {
  const cause: unknown = signal.aborted ? signal.reason : failure;
  const message = `No response to ${operation} from ${url.host} (attempt ${number}): ${reasonOf(cause)}`;
  const details = { status: undefined, idempotencyKey: content?.idempotencyKey, cause, isRetryable: true };
  if (callerSignal?.aborted)
    return new AbortError(message, { ...details, code: 'aborted', isRetryable: false });
  if (signal.aborted) return new TimeoutError(message, { ...details, code: 'timeout' });
  return new NetworkError(message, { ...details, code: 'network_error' });
}

/** The message of the cause, if there is one: that of Node's `fetch` itself is always "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = propertiesOf(error).cause ?? error;
  const { message = cause } = propertiesOf(cause);
  return String(message);
}
