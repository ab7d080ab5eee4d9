import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { getConnInfo } from '@hono/node-server/conninfo';
import { serveStatic } from '@hono/node-server/serve-static';
import { isPetStoreError, type PetStore } from '@petstore/client';
import { REQUEST_ID, sizeLimits } from '@petstore/contract';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { contextStorage } from 'hono/context-storage';
import { csrf } from 'hono/csrf';
import { etag } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { ipRestriction } from 'hono/ip-restriction';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type AppEnv, accessLog } from './log.ts';
import { sendFailure, sendMessage } from './pages/message.tsx';
import { addAnimal, newAnimalForm } from './routes/add.tsx';
import { showAnimal } from './routes/animal.tsx';
import { listAnimals } from './routes/list.tsx';

// The build puts the folder `assets` into `dist`, beside the bundle of this file. Tests run the file in `src`.
const assets = serveStatic({
  root: fileURLToPath(new URL('../dist/', import.meta.url)),
  onFound: (_, c) => c.header('Cache-Control', 'no-cache'),
});

/**
 * Pages load the stylesheet and images of this app, and no script. `form-action` is missing, because Chrome
 * applies it to redirects too: once a session has ended, a form leads to the sign-in, which may have another origin.
 * The proxy has the certificate, and decides whether browsers must use HTTPS.
 */
const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    // The stylesheet contains the arrow of a select as a data URL.
    imgSrc: ["'self'", 'data:'],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // With `no-referrer`, browsers would send `Origin: null` with a form.
  referrerPolicy: 'same-origin',
  strictTransportSecurity: false,
});

/** Forms may have every text that the pet store accepts: a form encodes a byte of a JSON body as up to three. */
const limitForm = bodyLimit({
  maxSize: 3 * sizeLimits.body,
  async onError(c) {
    // Unless the form is read to its end, Node's adapter closes the connection, on which a proxy may have sent the next
    // user's request. `bodyLimit` has locked a chunked body, so it cannot be read: the header tells the proxy to use
    // another connection.
    await c.req.raw.body?.pipeTo(new WritableStream()).catch(() => c.header('Connection', 'close'));
    return sendMessage(c, 413);
  },
});

/**
 * Refuses forms of other sites. Browsers send Sec-Fetch-Site only to HTTPS and localhost, with `none` if no site has
 * caused the request. Origin decides only without it: its scheme is ignored, and others on the network can forge a page
 * of plain HTTP.
 */
const requireSameOrigin = csrf({
  secFetchSite: ['same-origin', 'none'],
  origin(origin, c) {
    const { 'sec-fetch-site': site, host } = c.req.header();
    const url = URL.parse(origin);
    // Behind a TLS proxy, the app does not know the scheme. The proxy may add the default port, which parsing removes.
    return site === undefined && url !== null && url.host === URL.parse(`${url.protocol}//${host}`)?.host;
  },
});

/** Keeps the request id of the proxy if the pet store accepts it too. Hono itself accepts other characters. */
const keepRequestId = requestId({
  limitLength: 0, // Every sent id is longer, so Hono calls the generator.
  generator(c) {
    const sent = c.req.header('X-Request-Id') ?? '';
    return REQUEST_ID.test(sent) ? sent : randomUUID();
  },
});

/** Requires a user, whom the organisation's proxy has signed in. */
const requireUser = ({ TRUSTED_USER_HEADER, NODE_ENV }: Config) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const user = c.req.header(TRUSTED_USER_HEADER) || (NODE_ENV === 'development' && 'developer');
    if (!user) return sendMessage(c, 401, `${TRUSTED_USER_HEADER} is missing`);
    // Node.js reads headers as Latin-1, while proxies write names in UTF-8.
    c.set('user', Buffer.from(user, 'latin1').toString());
    return next();
  });

/** Creates the app: middleware in the order in which requests pass it, then routes. */
export function createApp(config: Config, store: PetStore, logger: Logger) {
  const app = new Hono<AppEnv>();
  app.use(contextStorage(), keepRequestId, securityHeaders, compress());
  // Probes and assets contain no data, and need no user.
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/assets/*', etag(), assets);

  app.use(
    accessLog(logger),
    ipRestriction(getConnInfo, { allowList: config.TRUSTED_PROXIES }, ({ addr }, c) =>
      sendMessage(c, 401, `${addr} is not in TRUSTED_PROXIES`),
    ),
    requireUser(config),
    requireSameOrigin,
  );
  app.get('/', (c) => c.redirect('/animals?status=available'));
  app.get('/animals', listAnimals(store, config));
  app.get('/animals/new', newAnimalForm(config));
  app.post('/animals/new', limitForm, addAnimal(store, config));
  app.get('/animals/:id', showAnimal(store, config));

  app.notFound((c) => sendMessage(c, 404));
  app.onError((error, c) => {
    if (isPetStoreError(error)) return sendFailure(c, error);
    // `csrf` throws an HTTPException for the form of another site, `ipRestriction` for a closed connection.
    if (error instanceof HTTPException) {
      const isClosed = getConnInfo(c).remote.address === undefined;
      const { 'sec-fetch-site': site, origin, host } = c.req.header();
      const otherSite = `The form may be of another site: Sec-Fetch-Site is ${site}, Origin ${origin}, Host ${host}`;
      return sendMessage(c, 403, isClosed ? 'The client has closed the connection' : otherSite);
    }
    logger.error({ requestId: c.var.requestId, err: error }, 'A bug failed a request');
    return sendMessage(c, 500);
  });
  return app;
}
