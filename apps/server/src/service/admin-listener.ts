import { once } from 'node:events';
import { register } from '@prometheus-io/client';
import express, { type Express } from 'express';
import { limits } from '../http/limits.ts';
import { createServer } from '../http/node-http.ts';
import { listen } from '../process/listen.ts';

/**
 * Opens a listener for operators: `/metrics`, `/livez` and `/readyz`, without a key. It shares no
 * middleware with the public listener, so that a scrape works while callers are refused.
 * @throws OperatorError naming ADMIN_HOST or ADMIN_PORT
 */
export async function openAdminListener(
  { host, port }: { host: string; port: number },
  isReady: () => Promise<boolean>,
): Promise<AsyncDisposable & { origin: string }> {
  const { headersTimeoutMs: headersTimeout, checkIntervalMs: connectionsCheckingInterval } = limits;
  const server = createServer({ headersTimeout, connectionsCheckingInterval }, createAdminApp(isReady));
  server.maxConnections = limits.adminConnections;
  const origin = await listen(server, { host, port }, { host: 'ADMIN_HOST', port: 'ADMIN_PORT' });
  return {
    origin,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

function createAdminApp(isReady: () => Promise<boolean>): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.use((_req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }).type('text/plain');
    next();
  });
  app.get('/livez', (_req, res) => void res.send('ok\n'));
  app.get('/readyz', async (_req, res) => {
    if (await isReady()) res.send('ok\n');
    else res.status(503).send('not ready\n');
  });
  app.get('/metrics', async (_req, res) => {
    res.type(register.contentType).send(await register.metrics());
  });
  app.use(({ method }, res) => {
    if (method === 'GET' || method === 'HEAD')
      res.status(404).send('Here are /metrics, /livez and /readyz.\n');
    else res.status(405).set('Allow', 'GET, HEAD').send('Only GET and HEAD are allowed.\n');
  });
  return app;
}
