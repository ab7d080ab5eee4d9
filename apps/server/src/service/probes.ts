import type { Express, RequestHandler } from 'express';
import { methodNotAllowed } from '../http/http-error.ts';
import { sendJson } from '../http/send-json.ts';
import type { Readiness } from './readiness.ts';

/** Adds a GET route without the guards of app.ts, so that it needs no key. */
export function addPublicRoute(app: Express, path: string, ...handlers: RequestHandler[]): void {
  const begin: RequestHandler = ({ method }, res, next) => {
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, ['GET', 'HEAD']);
    res.locals.notes.route = path;
    next();
  };
  app.all(path, begin, ...handlers);
}

const OK = '{"status":"ok"}';

/** `/livez`: the process responds. `/readyz`: it can serve, the database included. */
export function serveProbes(app: Express, readiness: Readiness): void {
  addPublicRoute(app, '/livez', (_req, res) => void sendJson(res, OK));
  addPublicRoute(app, '/readyz', async (_req, res) => {
    await readiness.assert();
    sendJson(res, OK);
  });
}
