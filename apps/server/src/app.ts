import { parse } from 'node:querystring';
import { v1 } from '@petstore/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import express from 'express';
import type { Context } from './context.ts';
import { Addresses } from './http/addresses.ts';
import type { Listener } from './http/answer.ts';
import { AnswerCache } from './http/answer-cache.ts';
import { answerFromCache } from './http/answer-from-cache.ts';
import { authenticate } from './http/authenticate.ts';
import { setCommonFields } from './http/common-fields.ts';
import { allowOrigins } from './http/cors.ts';
import { announceDeprecation } from './http/deprecation.ts';
import { answerErrors } from './http/errors.ts';
import { createMessageClasses, type MessageClasses } from './http/message-classes.ts';
import { serveOpenly } from './http/open-paths.ts';
import { checkProtocol } from './http/protocol.ts';
import { refuseOthers, refusePath } from './http/routing.ts';
import { sendJson } from './http/send-json.ts';
import { petHandlers } from './pets/handlers.ts';

/** The service without its server. */
export interface App {
  listener: Listener;
  messages: MessageClasses;
}

/** Builds the app: read from top to bottom, it is the way of a request whose answer is not kept. */
export function createApp(context: Context): App {
  const { config, keyRing } = context;
  const cache = new AnswerCache();
  const addresses = new Addresses(config.PUBLIC_BASE_URL);
  const app = express();
  const messages = createMessageClasses(app);
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // A parameter that is sent twice becomes an array, which no schema takes, however many come before.
  app.set('query parser', (text: string) => parse(text, '&', '=', { maxKeys: 0 }));
  // ts-rest answers through `res.json`.
  app.response.json = function json(value) {
    sendJson(this, value, cache);
    return this;
  };

  app.use(setCommonFields);
  announceDeprecation(app, v1.contract.pets.getPet, addresses);
  app.use(checkProtocol);

  // With an origin that asks first, the answer is CORS's; all others pass.
  if (config.CORS_ORIGINS.length > 0) app.use(allowOrigins(config.CORS_ORIGINS));
  app.use(serveOpenly(context));

  app.use(authenticate(keyRing));
  createExpressEndpoints(v1.contract.pets, petHandlers(context, addresses), app, {
    logInitialization: false,
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  refuseOthers(app, Object.values(v1.contract.pets));

  app.use(refusePath);
  app.use(answerErrors(context));
  return { listener: answerFromCache(context, cache, app), messages };
}
