import type { Operation } from './contract.ts';
import type { AbortError, NetworkError, TimeoutError } from './errors.ts';

/** What every event tells of its request. */
interface AttemptEvent {
  operation: Operation;
  /** 1 for the first attempt of a call. */
  attempt: number;
}

interface SentEvent extends AttemptEvent {
  method: string;
  url: string;
}

/** A request that is about to be sent. */
export interface RequestEvent extends SentEvent {
  /** Change them as you like. The API key is added after the hook. */
  headers: Headers;
}

/** A response that was received, whatever its status. */
export interface ResponseEvent extends SentEvent {
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** From sending the request to the end of the response body. */
  durationMs: number;
}

/** A request that got no response. */
export interface RequestErrorEvent extends SentEvent {
  /** The error that the call throws if it is not retried. */
  error: NetworkError | TimeoutError | AbortError;
  /** From sending the request to the failure. */
  durationMs: number;
}

/** A retry that is about to be waited for, after the attempt that failed. */
export interface RetryEvent extends AttemptEvent {
  /** How long the call waits before its next attempt: longer when the store has used up its budget of retries. */
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
