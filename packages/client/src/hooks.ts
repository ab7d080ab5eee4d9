import type { Operation } from './contract.ts';
import type { AbortError, NetworkError, TimeoutError } from './errors.ts';

interface AttemptEvent {
  operation: Operation;
  /** 1 for the first attempt of a call. */
  attempt: number;
}

interface SentEvent extends AttemptEvent {
  method: string;
  url: string;
}

export interface RequestEvent extends SentEvent {
  /** The hook may change them. The API key is added afterwards. */
  headers: Headers;
}

export interface ResponseEvent extends SentEvent {
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** From sending the request to the end of the response body. */
  durationMs: number;
}

export interface RequestErrorEvent extends SentEvent {
  /** If the call is not retried, it throws this error, or one that adds a remedy to its message. */
  error: NetworkError | TimeoutError | AbortError;
  /** From sending the request to the failure. */
  durationMs: number;
}

/** `attempt` is the number of the failed attempt. */
export interface RetryEvent extends AttemptEvent {
  /** The minimum delay before the next attempt. It is longer while the store's calls have used up their retry budget. */
  delayMs: number;
  /** The status of the failed attempt; `undefined` when there was no response. */
  status: number | undefined;
}

/**
 * The hooks of each attempt of a call: `onRequest`, then `onResponse` or `onError`, then `onRetry` if a retry follows.
 * An attempt that gets no API key in time calls `onRetry` alone. If the call ends during the delay, no retry follows
 * `onRetry`. An exception in a hook ends the call, which throws it. Hooks must be synchronous: the client awaits none,
 * so headers that an async hook sets after an `await` are too late, and its rejection is unhandled.
 */
export interface Hooks {
  /** Called before a request is sent. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called for every whole response, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called when no whole response was received. */
  onError?: ((event: RequestErrorEvent) => void) | undefined;
  /** Called before the delay of a retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
}
