import type { Operation } from './contract.ts';
import { keysOf } from './objects.ts';
import type { ApiKey } from './requests/api-key.ts';
import type { DeprecationNotice } from './responses/deprecation.ts';
import type { Hooks } from './transport/hooks.ts';

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
   * How often a call is retried after its first attempt.
   *
   * @default 2
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
   * @default 8_000
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
  /** Aborts the call: its request, or the delay before the next attempt. */
  signal?: AbortSignal | undefined;
}

export interface CreatePetOptions extends CallOptions {
  /**
   * Identifies this creation: 1 to 255 visible ASCII characters. Calls with the same key and the same pet
   * within 24 hours add the pet once.
   *
   * @default a random key for each call
   */
  idempotencyKey?: string | undefined;
}

/** A function with the signature of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What the client reads of a response of `fetch`. A `Response` has it. */
export interface FetchResponse {
  status: number;
  headers: Headers;
  body: {
    getReader(): { read(): Promise<{ value?: Uint8Array | undefined }>; cancel(): Promise<void> };
  } | null;
}

/** Throws when a body does not match the contract's schema: `validate` of `@petstore/client/validate`. */
export type Validate = (operation: Operation, response: { status: number; body: unknown }) => void;

export interface ConnectionOptions extends CallLimits, Hooks {
  /** The API key, or a function that returns it for each attempt. It cannot be read back from the store. */
  apiKey: ApiKey;
  /**
   * Sends the requests.
   *
   * @default the runtime's `fetch`
   */
  fetch?: ((url: string, init: RequestInit) => Promise<FetchResponse>) | undefined;
  /**
   * Called once for each deprecated operation that is used; `false` turns the notice off.
   *
   * @default console.warn
   */
  onDeprecation?: ((notice: DeprecationNotice) => void) | false | undefined;
  /** Validates response bodies by the contract's schemas: `validate` of `@petstore/client/validate`. */
  validate?: Validate | undefined;
}

export interface PetStoreOptions extends ConnectionOptions {
  /** The base address, including the version prefix: `https://pets.example/v1`. */
  baseUrl: string;
}

export const defaultLimits = {
  timeoutMs: 30_000,
  attemptTimeoutMs: 10_000,
  retries: 2,
  retryDelayMs: 500,
  maxRetryDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
} satisfies Required<CallLimits>;

export type Limits = typeof defaultLimits;

/** Merges the limits of several sources over the defaults. Later sources win; `undefined` sets nothing. */
export function mergeLimits(...sources: CallLimits[]): Limits {
  const limits = { ...defaultLimits };
  for (const name of keysOf(defaultLimits)) {
    for (const { [name]: limit } of sources) if (limit !== undefined) limits[name] = limit;
  }
  return limits;
}
