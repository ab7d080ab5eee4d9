import type { Hooks } from './hooks.ts';
import { keysOf } from './objects.ts';

/** How long a call may take and how often it is retried. Durations are in milliseconds. */
export interface CallLimits {
  /**
   * The timeout of the whole call: all attempts and the delays between them.
   *
   * @default 30_000
   */
  timeoutMs?: number | undefined;
  /**
   * The timeout of one attempt, its response body included.
   *
   * @default 10_000
   */
  attemptTimeoutMs?: number | undefined;
  /**
   * How often a call is retried at most.
   *
   * @default as often as `timeoutMs` allows while the service is away; twice after the statuses 408, 429 and 500
   */
  retries?: number | undefined;
  /**
   * The longest delay before the first retry. It doubles with each retry; the delay is random up to it.
   *
   * @default 500
   */
  retryDelayMs?: number | undefined;
  /**
   * The limit that the doubling stops at.
   *
   * @default 2_000
   */
  maxRetryDelayMs?: number | undefined;
  /**
   * The longest `Retry-After` that is obeyed. A longer one fails the call at once.
   *
   * @default 60_000
   */
  maxRetryAfterMs?: number | undefined;
}

/** Options of one call. */
export interface CallOptions extends CallLimits {
  /**
   * Sends the requests of this call.
   *
   * @default that of the store
   */
  fetch?: ((url: string, init: RequestInit) => Promise<FetchResponse>) | undefined;
  /** Headers of this call's requests. They take precedence over those of the store. */
  headers?: Record<string, string> | undefined;
  /** Aborts the call: its request, or the delay before the next attempt. */
  signal?: AbortSignal | undefined;
}

/** Options of a call that an Idempotency-Key makes safe to repeat. */
export interface CreateOptions extends CallOptions {
  /**
   * Identifies this creation: 1 to 255 visible ASCII characters. Calls with the same key and the same body
   * within 24 hours create once.
   *
   * @default a random key for each call
   */
  idempotencyKey?: string | undefined;
}

/**
 * The API key, or a function that returns it for each attempt: from a file or a secret store, where it may
 * change.
 */
export type ApiKey = string | (() => string | Promise<string>);

/** A function with the signature of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What the client reads of a response of `fetch`. A `Response` has it. */
export type FetchResponse = Pick<Response, 'status' | 'headers' | 'arrayBuffer'>;

/**
 * The budget of retries that all calls of a store share, so that an outage does not become a storm of requests.
 * Named after `retryThrottling` of gRPC's service config. A retry that finds no token waits for one, as a request
 * does in the adaptive retry mode of AWS's SDKs; it is not given up.
 */
export interface RetryThrottling {
  /**
   * How many retries can be sent in a burst. A retry takes a token; one that the service responds to gives it
   * back. One token is added every second.
   *
   * @default 100
   */
  maxTokens?: number | undefined;
  /**
   * How much of a token each request adds that is not to be retried.
   *
   * @default 0.1
   */
  tokenRatio?: number | undefined;
}

export interface ConnectionOptions extends CallLimits, Hooks {
  /** The API key, or a function that returns it for each attempt. It cannot be read back from the store. */
  apiKey: ApiKey;
  /**
   * Sends the requests.
   *
   * @default the runtime's `fetch`
   */
  fetch?: CallOptions['fetch'];
  /**
   * Called once for each deprecated operation that is used, with a sentence that says so; `false` turns the notice
   * off.
   *
   * @default the `warn` of the console
   */
  onDeprecation?: ((message: string) => void) | false | undefined;
  /**
   * Headers of every request. They cannot replace the API key or what the client itself sends: `Accept`,
   * `Content-Type`, `Idempotency-Key` and `X-Client`.
   */
  headers?: Record<string, string> | undefined;
  /** Limits the retries of all calls together. */
  retryThrottling?: RetryThrottling | undefined;
}

export interface PetStoreOptions extends ConnectionOptions {
  /** The base address, including the version prefix: `https://pets.example/v1`. */
  baseUrl: string;
}

export interface Limits extends Record<Exclude<keyof CallLimits, 'retries'>, number> {
  /** `undefined` where the default depends on the failure. */
  retries: number | undefined;
}

export const defaultLimits: Limits = {
  timeoutMs: 30_000,
  attemptTimeoutMs: 10_000,
  retries: undefined,
  retryDelayMs: 500,
  maxRetryDelayMs: 2_000,
  maxRetryAfterMs: 60_000,
};

/** Merges the limits of several sources over the defaults. Later sources win; `undefined` sets nothing. */
export function mergeLimits(...sources: CallLimits[]): Limits {
  const limits = { ...defaultLimits };
  for (const name of keysOf(defaultLimits)) {
    for (const { [name]: limit } of sources) {
      if (limit !== undefined) limits[name] = limit;
    }
  }
  return limits;
}
