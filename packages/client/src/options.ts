import type { CallLimits, CallOptions } from './call-options.ts';
import type { Hooks } from './hooks.ts';

/**
 * The API key, or a function that returns it. Each attempt calls the function, because a key in a file or a secret store
 * may change.
 */
export type ApiKey = string | (() => string | Promise<string>);

/** A `fetch` that takes the URL as text. The option `fetch` also accepts one whose response is only a FetchResponse. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ConnectionOptions extends CallLimits, Hooks {
  /** The object that `createPetStore` returns has no property with it. */
  apiKey: ApiKey;
  /**
   * Sends the requests.
   * @default the runtime's `fetch`
   */
  fetch?: CallOptions['fetch'];
  /**
   * Called with a sentence once for each deprecated operation in use; `false` turns the notice off.
   * @default `console.warn`
   */
  onDeprecation?: ((message: string) => void) | false | undefined;
  /**
   * Headers of every request. They cannot replace the API key or the client's own headers: `Accept`, `Content-Type`,
   * `Idempotency-Key` and `X-Client`.
   */
  headers?: Record<string, string> | undefined;
}

export interface PetStoreOptions extends ConnectionOptions {
  /** The base URL, including the version prefix: `https://pets.example/v1`. */
  baseUrl: string;
}
