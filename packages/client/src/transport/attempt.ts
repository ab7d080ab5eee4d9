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

export type NoResponseError = NetworkError | TimeoutError | AbortError;

/**
 * Creates the function that sends a request once and calls the hooks. It returns the response, or the error for a
 * missing response. It throws the program's own errors: of its hooks, its API key function or its `fetch`.
 */
export function createAttemptSender({ onRequest, onResponse, onError, ...connection }: ConnectionOptions) {
  const { apiKey: givenKey } = connection;
  const getApiKey = async () => (typeof givenKey === 'function' ? givenKey() : givenKey);

  return async (
    request: OperationRequest<Operation>,
    attempt: Attempt,
  ): Promise<ReceivedResponse | NoResponseError> => {
    const { signal, options } = attempt;
    const { operation, url } = request;
    // The caller's signal or the timeout may have ended the call before this attempt.
    if (signal.aborted) return createError(request, attempt, `No request for ${operation}`);
    // Test tools may replace the global function between two requests.
    const { fetch = connection.fetch ?? globalThis.fetch } = options;
    let apiKey: string;
    try {
      apiKey = await unlessAborted(signal, getApiKey);
    } catch (error) {
      if (signal.aborted) return createError(request, attempt, `No API key for ${operation}`);
      throw error;
    }

    const event = { operation, attempt: attempt.number, method: operations[operation].method, url };
    const headers = buildHeaders(request, connection.headers, options.headers);
    onRequest?.({ ...event, headers });

    const start = performance.now();
    const outcome = await sendRequest(request, { apiKey, fetch, headers, signal }).catch((error: unknown) => {
      if (isBug(error) && !signal.aborted) throw error;
      const problem = `No response to ${operation} from ${hostOf(url)}`;
      return createError(request, attempt, problem, redactError(error, apiKey));
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

/** @param failure the error of `fetch`. If the signal aborted, its reason is the cause instead. */
function createError(
  { idempotencyKey }: OperationRequest<Operation>,
  { number, options, signal }: Attempt,
  problem: string,
  failure?: Error,
): NoResponseError {
  const cause: unknown = signal.aborted ? signal.reason : failure;
  const message = `${problem} (attempt ${number}): ${reasonOf(cause)}`;
  const details = { status: undefined, idempotencyKey, cause, isRetryable: true };
  if (options.signal?.aborted)
    return new AbortError(message, { ...details, code: 'aborted', isRetryable: false });
  if (signal.aborted) return new TimeoutError(message, { ...details, code: 'timeout' });
  return new NetworkError(message, { ...details, code: 'network_error' });
}

/** The host of a URL, without credentials. A relative URL (ts-rest in a web page may have one) stays as it is. */
export const hostOf = (url: string) => /^\w+:\/\/(?:[^/]*@)?([^/]*)/.exec(url)?.[1] ?? url;

/**
 * The message of the inner cause: Node's `fetch` says "fetch failed", and its cause "Request was cancelled" if a proxy
 * refuses.
 */
export function reasonOf(error: unknown): string {
  const { cause, message } = propertiesOf(error);
  const { message: reason, code } = propertiesOf(propertiesOf(cause).cause ?? cause ?? error);
  // Some errors have only a code. The messages of OpenSSL end with line breaks.
  return String(reason || code || message || error).trim();
}

/** How the message of a failed connection's TypeError begins, if the error has neither a cause nor a code. */
const NETWORK_FAILURES = [
  // Browsers: "Failed to fetch", "Load failed", "NetworkError when attempting …", "Error in input stream".
  /^(failed to fetch|load failed|(a )?network|error in )/i,
  // Deno: "error sending request …", "connection closed …", "unexpected end of file".
  /^(error (sending|reading)|connect|(reached )?unexpected e)/i,
  // Node.js, if a wrapper of `fetch` has dropped the cause.
  /^(fetch failed|terminated|socket)/i,
];

/** Whether the error of `fetch` is a bug in the program, which no retry changes. */
function isBug(error: unknown): boolean {
  if (!(error instanceof TypeError)) return error instanceof ReferenceError;
  // Node.js gives the TypeError of a failed connection a cause, Bun a code.
  if ('cause' in error || 'code' in error) return false;
  return !NETWORK_FAILURES.some((pattern) => pattern.test(error.message));
}
