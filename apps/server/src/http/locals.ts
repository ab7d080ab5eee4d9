import type { Validity } from './answer-cache.ts';

declare global {
  namespace Express {
    /** What is known of a request while it is answered. */
    interface Locals {
      requestId: string;
      /** Name of the API key, once it is known to be valid. */
      keyName?: string;
      /** How long the answer stays true, where a handler can tell. */
      validity?: Validity | undefined;
    }
  }
}
