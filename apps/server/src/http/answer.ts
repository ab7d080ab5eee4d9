import { type IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './request-id.ts';

/** What is known of a request while it is answered. */
export interface Locals {
  requestId: string;
  /** When the request was taken up, as `performance.now` tells it. */
  start: number;
  /** Template of the route that answers, where Express does not know it. */
  route?: string | undefined;
  /** Name of the API key, once it is known to be valid. */
  keyName?: string;
}

/** A response that knows these things. Express leaves `locals` as it finds them. */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  readonly locals: Locals = { requestId: requestIdOf(this.req), start: performance.now() };
}

/** Takes up a request, whatever leads to the answer. */
export type Listener = (req: IncomingMessage, res: Answer) => void;
