import type { ApiKey } from './api-key.ts';
import type { Operation } from './contract.ts';
import type { DeprecationNotice } from './deprecation.ts';
import type { Hooks } from './hooks.ts';
import { namesOf } from './members.ts';

/** How long a call may take and how often it is tried again. Durations are in milliseconds. */
export interface CallLimits {
  /** For the whole call: all attempts and the waits between them (30 s). */
  timeoutMs?: number | undefined;
  /** For one attempt, its body included (10 s). */
  attemptTimeoutMs?: number | undefined;
  /** How often a call is tried again after its first attempt (2). */
  retries?: number | undefined;
  /** The longest wait before the first retry; it doubles with each, and the wait is random up to it (0.5 s). */
  retryDelayMs?: number | undefined;
  /** What that longest wait never grows beyond (8 s). */
  maxRetryDelayMs?: number | undefined;
  /** The longest `Retry-After` that is obeyed; a longer one fails at once (60 s). */
  maxRetryAfterMs?: number | undefined;
}

/** Options of one call. */
export interface CallOptions extends CallLimits {
  /** Ends the call: its request, or the wait before the next attempt. */
  signal?: AbortSignal | undefined;
}

export interface CreatePetOptions extends CallOptions {
  /**
   * Names this creation (1 to 255 visible ASCII characters): with the same key and the same animal it
   * happens once, however often it is asked for within 24 hours. By default a random one for each call.
   */
  idempotencyKey?: string | undefined;
}

/** Anything with the shape of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Throws when a body is not what the contract says: `validate` of `@petstore/client/validate`. */
export type Validate = (operation: Operation, answer: { status: number; body: unknown }) => void;

export interface ConnectionOptions extends CallLimits, Hooks {
  /** The API key, sent as a bearer token, or a function that gives it for each request. It cannot be read back. */
  apiKey: ApiKey;
  /** Sends the requests; by default the runtime's own `fetch`. */
  fetch?: Fetch | undefined;
  /** Called once for each deprecated operation; by default a `console.warn`. `false` silences it. */
  onDeprecation?: ((notice: DeprecationNotice) => void) | false | undefined;
  /** Looks closer at each answer: `validate` of `@petstore/client/validate`. */
  validate?: Validate | undefined;
}

export interface PetStoreOptions extends ConnectionOptions {
  /** The base address, which already includes the version prefix: `https://pets.example/v1`. */
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

/** The limits of a call: what comes last counts, where it says anything. */
export function limitsOf(...sources: CallLimits[]): Limits {
  const limits = { ...defaultLimits };
  for (const name of namesOf(defaultLimits)) {
    for (const { [name]: limit } of sources) if (limit !== undefined) limits[name] = limit;
  }
  return limits;
}
