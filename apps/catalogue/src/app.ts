import { isPetStoreError, type PetStore } from '@petstore/client';
import { sizeLimits } from '@petstore/contract';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { contextStorage } from 'hono/context-storage';
import type { Logger } from 'pino';
import { sendAsset } from './assets.ts';
import type { Config } from './config.ts';
import { accessLog } from './http/access-log.ts';
import type { AppEnv } from './http/env.ts';
import { requestId } from './http/request-id.ts';
import { requireSameOrigin } from './http/same-origin.ts';
import { securityHeaders } from './http/security-headers.ts';
import { sendFailure } from './http/send-failure.ts';
import { sendPage } from './http/send-page.ts';
import { requireUser } from './http/session.ts';
import { BugPage, FormRefusedPage, NotFoundPage } from './pages/failure.tsx';
import { addAnimal, newAnimalForm } from './routes/add.tsx';
import { showAnimal } from './routes/animal.tsx';
import { listAnimals } from './routes/list.tsx';

/** What the routes work with. */
export interface Services {
  config: Config;
  store: PetStore;
  logger: Logger;
}

/** Three bytes of a form for each of the longest body that the pet store takes. */
const limitForm = bodyLimit({
  maxSize: 3 * sizeLimits.body,
  onError: (c) =>
    sendPage(c, FormRefusedPage({ title: 'This form is too long', requestId: c.get('requestId') }), 413),
});

/** Creates the app: what every request passes through, in order, and the routes. */
export function createApp({ config, store, logger }: Services) {
  const app = new Hono<AppEnv>();
  app.use(contextStorage(), requestId, securityHeaders);
  // Probes and assets tell nothing, and need no user.
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/assets/*', (c) => sendAsset(c.req.raw) ?? c.notFound());

  app.use(accessLog(logger), compress(), requireUser(config), requireSameOrigin);
  app.get('/', (c) => c.redirect('/animals?status=available'));
  app.get('/animals', listAnimals(store, config));
  app.get('/animals/new', newAnimalForm(config));
  app.post('/animals/new', limitForm, addAnimal(store, config));
  app.get('/animals/:id', showAnimal(store, config));

  app.notFound((c) => sendPage(c, NotFoundPage(c.var), 404));
  app.onError((error, c) => {
    if (isPetStoreError(error)) return sendFailure(c, error);
    logger.error({ requestId: c.var.requestId, err: error }, 'A bug failed a request');
    return sendPage(c, BugPage(c.var), 500);
  });
  return app;
}
