/** The arguments of a call beside its options: each path parameter by its name, the body, the query. */
export interface Arguments {
  [parameter: string]: unknown;
  body?: object;
  query?: object;
}

/** How long a call may take and how often it is retried. Durations are in milliseconds. */
export interface CallLimits {
  /**
   * The timeout of the whole call: all attempts and the delays between them.
   * @default 30_000
   */
  timeoutMs?: number | undefined;
  /**
   * The timeout of one attempt, its response body included.
   * @default 10_000
   */
  attemptTimeoutMs?: number | undefined;
  /**
   * How often a call is retried at most.
   * @default 2 after 408, 429 and 500; unlimited within `timeoutMs` after 409, 502, 503, 504 or without a response
   */
  retries?: number | undefined;
  /**
   * The maximum of the random delay before the first retry. It doubles for the second and for the third retry.
   * @default 500
   */
  retryDelayMs?: number | undefined;
  /**
   * The longest `Retry-After` that the client obeys. A longer one ends the call at once with its error.
   * @default 60_000
   */
  maxRetryAfterMs?: number | undefined;
}

export interface CallOptions extends CallLimits {
  /**
   * Sends the requests of this call.
   * @default the `fetch` of the store
   */
  fetch?: ((url: string, init: RequestInit) => Promise<FetchResponse>) | undefined;
  /**
   * Headers of this call's requests. They take precedence over those of the store, but never replace the client's own,
   * such as `Idempotency-Key`: use `idempotencyKey`.
   */
  headers?: Record<string, string> | undefined;
  /** Aborts the call: its request, or the delay before the next attempt. */
  signal?: AbortSignal | undefined;
}

/** Options of a call that an Idempotency-Key makes safe to repeat. */
export interface CreateOptions extends CallOptions {
  /**
   * Identifies this creation: 1 to 255 visible ASCII characters. Calls with the same key and the same body within 24
   * hours create once.
   * @default a random key for each call
   */
  idempotencyKey?: string | undefined;
}

/** The part of a `Response` that the client needs from `fetch`. */
export interface FetchResponse extends Pick<Response, 'status' | 'headers' | 'arrayBuffer'> {
  /** An async iterable of bytes is read instead of `arrayBuffer`, so that an endless body does not fill the memory. */
  body?: unknown;
}

/** Bytes of the largest valid page: 100 pets, each as large as a request body can be, each byte escaped as `\u00xx`. */
export const MAX_BODY_BYTES = 100 * 64 * 1024 * 6;

export interface Limits extends Record<Exclude<keyof CallLimits, 'retries'>, number> {
  /** `undefined` where the default depends on the failure. */
  retries: number | undefined;
}

export const defaultLimits: Limits = {
  timeoutMs: 30_000,
  attemptTimeoutMs: 10_000,
  retries: undefined,
  retryDelayMs: 500,
  maxRetryAfterMs: 60_000,
};

/** The limits of a call: its own, otherwise the store's, otherwise the defaults. */
export function limitsOf(call: CallLimits, store: CallLimits): Limits {
  const limit = <Name extends keyof Limits>(name: Name) => call[name] ?? store[name] ?? defaultLimits[name];
  return {
    timeoutMs: limit('timeoutMs'),
    attemptTimeoutMs: limit('attemptTimeoutMs'),
    retries: limit('retries'),
    retryDelayMs: limit('retryDelayMs'),
    maxRetryAfterMs: limit('maxRetryAfterMs'),
  };
}
