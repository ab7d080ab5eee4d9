import { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import { Answer } from './answer.ts';

/** What an HTTP server makes its messages of. */
export interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof Answer;
}

/**
 * Makes the classes of an app's requests and responses, which have the app's prototypes from the start.
 * Express sets these for each message by itself; where that changes nothing, V8 keeps what it knows of the
 * shape of all of them.
 */
export function createMessageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppAnswer<Request extends IncomingMessage> extends Answer<Request> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppAnswer.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppAnswer };
}
