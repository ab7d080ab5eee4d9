import { parse } from 'node:querystring';
import { responseHeaders } from '@petstore/contract';
import cors from 'cors';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { HttpError, methodNotAllowed } from '../http/http-error.ts';
import { checkProtocol } from '../http/middleware/check-protocol.ts';
import { handleErrors } from '../http/middleware/handle-errors.ts';
import { shedLoad } from '../http/middleware/shed-load.ts';
import type { OverloadLog } from '../http/overload-log.ts';
import type { Middleware } from '../http/request-context.ts';
import { authenticate, requireScope } from '../keys/authenticate.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { limitRate } from '../keys/limit-rate.ts';
import type { PetParts } from '../pets/handlers-v1.ts';
import type { Config } from '../process/config.ts';
import { serveDocs } from './docs.ts';
import { serveProbes } from './probes.ts';
import type { Readiness } from './readiness.ts';
import { methodsByPath, methodsOf, type ServedVersion } from './versions.ts';

interface AppParts extends PetParts {
  config: Config;
  keys: KeyRing;
  overloadLog: OverloadLog;
  readiness: Readiness;
  logger: Logger;
}

/**
 * Creates the application. Express tries middleware and routes in order, so the operations come early: they are
 * requested most. The guards run once the route is found, so that the log names the route of a refused request.
 * `beginRequest` has run before, for each request.
 */
export function createApp(parts: AppParts, versions: readonly ServedVersion[]): Express {
  const { config, logger } = parts;
  const { PUBLIC_BASE_URL: publicBaseUrl, STAGING_BASE_URL: staging } = config;
  const app = express();
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  app.set('trust proxy', config.TRUSTED_PROXIES);
  // A parameter that is sent twice becomes an array, which no schema accepts (`maxKeys: 0` is no limit).
  app.set('query parser', (query: string) => parse(query, '&', '=', { maxKeys: 0 }));

  const hasOrigins = config.CORS_ORIGINS.length > 0;
  if (hasOrigins) app.use(allowOrigins(config.CORS_ORIGINS, methodsOf(versions)));
  app.use(checkProtocol);
  if (hasOrigins) app.use(respondToPreflight);

  const guards = [
    shedLoad(config.MAX_QUEUE_DELAY_MS, parts.overloadLog),
    authenticate(parts.keys),
    limitRate(),
  ];
  for (const { version, addEndpoints } of versions) {
    const router = Router({ caseSensitive: true, strict: true });
    addEndpoints(router, { ...parts, publicBaseUrl }, [...guards, requireScope]);
    for (const [path, methods] of methodsByPath(version)) {
      router.all(path, ...guards, ({ method }) => {
        throw methodNotAllowed(method, methods);
      });
    }
    app.use(version.prefix, router);
  }
  serveProbes(app, parts.readiness);
  if (config.DOCS === 'on') {
    const documented = versions.map(({ version }) => version);
    serveDocs(app, documented, { production: publicBaseUrl, staging });
  }
  app.use(passUndecodable, ...guards, () => {
    throw new HttpError('path_not_found');
  });
  const classify = (thrown: unknown) => {
    const fault = parts.database.classify(thrown);
    if (fault === 'refused') return new HttpError('invalid_body', REFUSED_VALUE);
    return fault && new HttpError(faultCodes[fault]);
  };
  app.use(handleErrors(logger, classify));
  return app;
}

/** Lets pages of other origins call the service. Cookies are never allowed: pages send the key in a header. */
function allowOrigins(origins: readonly string[], methods: readonly string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: methods.join(', '),
    // Without `allowedHeaders`, a page may send any header: apps add their own, such as `traceparent`.
    exposedHeaders: Object.keys(responseHeaders).join(', '),
    maxAge: 24 * 60 * 60,
    // cors would respond before `checkProtocol`.
    preflightContinue: true,
  });
}

/**
 * Responds to preflight requests, which alone have both headers (Fetch, 3.3.2). Any other OPTIONS request gets 405. A
 * preflight request for an unknown path gets 204, so that the page can read the 404 of its actual request.
 */
const respondToPreflight: Middleware = ({ method, headers }, res, next) => {
  const isPreflight = method === 'OPTIONS' && headers.origin && headers['access-control-request-method'];
  if (isPreflight) res.status(204).end();
  else next();
};

/** Treats a path that Express cannot decode, such as `/v1/pets/%ZZ`, as unknown. */
const passUndecodable: ErrorRequestHandler = (error, _req, _res, next) =>
  next(error instanceof URIError ? undefined : error);

const REFUSED_VALUE = 'The database refuses a value of the body, for example an id that does not exist.';

/** The error codes of the faults of a database, except `refused`. */
const faultCodes = {
  busy: 'overloaded',
  unavailable: 'database_unavailable',
  behind: 'database_behind',
  exhausted: 'ids_exhausted',
  blocked: 'database_unavailable',
} as const;
