import type { CallOptions } from '../call-options.ts';
import { type Operation, operations } from '../contract.ts';
import { AbortError, NetworkError, PetStoreError, TimeoutError } from '../errors.ts';
import { propertiesOf } from '../objects.ts';
import type { ConnectionOptions } from '../options.ts';
import type { OperationRequest } from '../requests/build-request.ts';
import type { ReceivedResponse } from '../responses/response.ts';
import { unlessAborted } from './deadline.ts';
import { redactError } from './redact.ts';
import { buildHeaders, sendRequest } from './send-request.ts';

interface Attempt {
  number: number;
  options: CallOptions;
  /** Aborts with the caller's own signal, and after the timeouts of the attempt and of the whole call. */
  signal: AbortSignal;
}

type NoResponseError = NetworkError | TimeoutError | AbortError;

/**
 * Creates the function that sends a request once and calls the hooks. It returns the response, or the error for a
 * missing response. It throws the program's own errors: of its hooks, its API key function or its `fetch`.
 */
export function createAttempt({ onRequest, onResponse, onError, ...connection }: ConnectionOptions) {
  const { apiKey: givenKey } = connection;
  const getApiKey = async () => (typeof givenKey === 'function' ? givenKey() : givenKey);

  return async (
    request: OperationRequest<Operation>,
    attempt: Attempt,
  ): Promise<ReceivedResponse | NoResponseError> => {
    const { signal, options } = attempt;
    // The caller's signal or the timeout may have ended the call before this attempt.
    if (signal.aborted) return createError(request, attempt, 'request');
    // Test tools may replace the global function between two requests.
    const { fetch = connection.fetch ?? globalThis.fetch } = options;
    let apiKey: string;
    try {
      apiKey = await unlessAborted(signal, getApiKey);
    } catch (error) {
      if (signal.aborted) return createError(request, attempt, 'API key');
      throw error;
    }

    const { operation, url } = request;
    const event = { operation, attempt: attempt.number, method: operations[operation].method, url };
    const headers = buildHeaders(request, connection.headers, options.headers);
    onRequest?.({ ...event, headers });

    const start = performance.now();
    const outcome = await sendRequest(request, { apiKey, fetch, headers, signal }).catch((error: unknown) => {
      if (isBug(error) && !signal.aborted) throw error;
      return createError(request, attempt, redactError(error, apiKey));
    });
    const durationMs = performance.now() - start;
    if (outcome instanceof PetStoreError) {
      onError?.({ ...event, error: outcome, durationMs });
    } else {
      const { body, ...head } = outcome;
      onResponse?.({ ...event, ...head, durationMs });
    }
    return outcome;
  };
}

/** @param failure the error of `fetch`, or what is missing. If the signal aborted, its reason is the cause instead. */
function createError(
  { operation, url, idempotencyKey }: OperationRequest<Operation>,
  { number, options, signal }: Attempt,
  failure: Error | 'request' | 'API key',
): NoResponseError {
  const isError = failure instanceof Error;
  const problem = isError
    ? `No response to ${operation} from ${hostOf(url)}`
    : `No ${failure} for ${operation}`;
  const cause: unknown = signal.aborted ? signal.reason : failure;
  const message = `${problem} (attempt ${number}): ${reasonOf(cause)}`;
  const details = { status: undefined, idempotencyKey, cause, isRetryable: true };
  if (options.signal?.aborted)
    return new AbortError(message, { ...details, code: 'aborted', isRetryable: false });
  if (signal.aborted) return new TimeoutError(message, { ...details, code: 'timeout' });
  return new NetworkError(message, { ...details, code: 'network_error' });
}

/** The host of a URL without a password, or the URL if it is relative: ts-rest in a web page may have such a base URL. */
export const hostOf = (url: string) => /^\w+:\/\/(?:[^/]*@)?([^/]*)/.exec(url)?.[1] ?? url;

/** The message of the cause, if it has one: Node's `fetch` itself always says "fetch failed". */
export function reasonOf(error: unknown): string {
  const { cause, message } = propertiesOf(error);
  const inner = cause ?? error;
  const { message: innerMessage, code } = propertiesOf(inner);
  // The AggregateError of a host with several addresses has only a code. The messages of OpenSSL end with line breaks.
  return String(innerMessage || code || message || inner).trim();
}

/**
 * Messages of the TypeError of a `fetch` whose connection failed. In Node.js it has a cause, in Bun a code; in browsers
 * and Deno only a message such as `unexpected end of file` differs from the TypeErrors of a program.
 */
const NETWORK_FAILURE =
  /^((fetch|load) failed|failed to fetch|(a )?network|connect|socket|terminated|error (sending|reading|in )|(reached )?unexpected e)/i;

/** Whether the error of `fetch` is a bug in the program, which no retry changes. */
function isBug(error: unknown): boolean {
  if (error instanceof TypeError)
    return !('cause' in error || 'code' in error || NETWORK_FAILURE.test(error.message));
  return error instanceof ReferenceError;
}
