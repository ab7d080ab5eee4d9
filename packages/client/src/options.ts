import type { CallLimits, CallOptions } from './call-options.ts';
import type { Hooks } from './hooks.ts';

/**
 * The API key, or a function that returns it for each attempt: from a file or a secret store, where it may
 * change.
 */
export type ApiKey = string | (() => string | Promise<string>);

/** A function with the signature of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
}

export interface PetStoreOptions extends ConnectionOptions {
  /** The base address, including the version prefix: `https://pets.example/v1`. */
  baseUrl: string;
}
