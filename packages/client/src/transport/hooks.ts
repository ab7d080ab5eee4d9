import type { Operation } from '../contract.ts';
import type { AbortError, NetworkError, TimeoutError } from '../errors/index.ts';

/** A request that is about to be sent. */
export interface RequestEvent {
  operation: Operation;
  /** 1 for the first attempt of a call. */
  attempt: number;
  method: string;
  url: string;
  /** Change them as you like. The API key is added after the hook. */
  headers: Headers;
}

/** A response that was received, whatever its status. */
export interface ResponseEvent {
  operation: Operation;
  attempt: number;
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** From sending the request to the end of the response body. */
  durationMs: number;
}

/** A request that got no response. */
export interface RequestErrorEvent {
  operation: Operation;
  attempt: number;
  /** The error that the call throws if it is not retried. */
  error: NetworkError | TimeoutError | AbortError;
  /** From sending the request to the failure. */
  durationMs: number;
}

/** A retry that is about to be waited for. */
export interface RetryEvent {
  operation: Operation;
  /** The number of the attempt that failed. */
  attempt: number;
  /** How long the call waits before its next attempt. */
  delayMs: number;
  /** The status of the response that is not accepted; `undefined` when there was no response. */
  status: number | undefined;
}

/**
 * Called for every request, retries included: `onRequest`, then `onResponse` or `onError`, then `onRetry` if
 * the request is sent again. An exception in a hook ends the call, which throws it.
 */
export interface Hooks {
  /** Called before a request is sent. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when a whole response was received. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called when no response, or only a part of one, was received. */
  onError?: ((event: RequestErrorEvent) => void) | undefined;
  /** Called before the delay of a retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
}
