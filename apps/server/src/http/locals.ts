import type { Locals as Known } from './answer.ts';
import type { Validity } from './answer-cache.ts';

declare global {
  namespace Express {
    interface Locals extends Known {
      /** How long the answer stays true, where a handler can tell. */
      validity?: Validity | undefined;
    }
  }
}
