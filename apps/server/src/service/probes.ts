import { Router } from 'express';
import { sendJson } from '../http/send-json.ts';
import { addPublicRoute } from './public-route.ts';
import type { Readiness } from './readiness.ts';

const OK = '{"status":"ok"}';

/** `/livez`: the process responds. `/readyz`: it can serve, the database included. */
export function serveProbes(readiness: Readiness): Router {
  const router = Router({ caseSensitive: true, strict: true });
  addPublicRoute(router, '/livez', (_req, res) => void sendJson(res, OK));
  addPublicRoute(router, '/readyz', async (_req, res) => {
    await readiness.assert();
    sendJson(res, OK);
  });
  return router;
}
