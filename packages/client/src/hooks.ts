import type { Operation } from './contract.ts';
import type { NoAnswerError } from './errors/index.ts';

/** A request about to be sent. */
export interface OutgoingRequest {
  operation: Operation;
  /** 1 for the first try of a call. */
  attempt: number;
  method: string;
  url: string;
  /** Add to them as you like. The API key is not among them: it joins after the hook. */
  headers: Headers;
}

/** An answer that just came in, whatever it is. */
export interface IncomingResponse {
  operation: Operation;
  attempt: number;
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** From the request to the end of the body. */
  milliseconds: number;
}

/** No answer to a request: the connection failed, or its time ran out, or the caller ended it. */
export interface MissingAnswer {
  operation: Operation;
  attempt: number;
  /** What the call would throw, and does when it is not tried again. */
  error: NoAnswerError;
  /** From the request to the moment when it was given up. */
  milliseconds: number;
}

/**
 * Called for every request, retries included: after `onRequest` comes one of the others. An attempt that
 * ends before there is a key sends none. What a hook throws, the call throws.
 */
export interface Hooks {
  /** Before a request is sent. */
  onRequest?: ((request: OutgoingRequest) => void) | undefined;
  /** After an answer came in whole. */
  onResponse?: ((response: IncomingResponse) => void) | undefined;
  /** After no answer came in, or not a whole one. */
  onNoAnswer?: ((missing: MissingAnswer) => void) | undefined;
}
