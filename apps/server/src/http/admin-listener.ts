import { once } from 'node:events';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { listen } from './listen.ts';
import { createServer } from './node-http.ts';

/** Connections at a time; Node closes further ones at once. */
const MAX_CONNECTIONS = 32;

const MAX_HEADER_BYTES = 8 * 1024;

/** How long a request may take to arrive, and how long nothing may move on a connection with one. */
const REQUEST_TIMEOUT_MS = 5_000;
const INACTIVITY_MS = 30_000;

/** Longer than the interval of most scrapers, so that they need not connect each time. */
const KEEP_ALIVE_MS = 65_000;

const METHODS = ['GET', 'HEAD'];

/** The parts whose state the admin listener shows. */
export interface AdminSources {
  readMetrics(): Promise<{ contentType: string; text: string }>;
  isReady(): Promise<boolean>;
}

/** A listener for operators: `/metrics`, `/livez` and `/readyz`, without a key and outside the access log. */
export interface AdminListener extends AsyncDisposable {
  /** As seen from this machine. */
  readonly origin: string;
}

/**
 * Opens the admin listener. It shares nothing with the pipeline: a scrape works while callers are refused.
 * @throws OperatorError naming ADMIN_HOST or ADMIN_PORT
 */
export async function openAdminListener(
  { host, port }: { host: string; port: number },
  sources: AdminSources,
): Promise<AdminListener> {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(options, createAdminApp(sources));
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = INACTIVITY_MS;
  const origin = await listen(server, { host, port }, { host: 'ADMIN_HOST', port: 'ADMIN_PORT' });
  return {
    origin,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

function createAdminApp({ readMetrics, isReady }: AdminSources): Express {
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
    const { contentType, text } = await readMetrics();
    res.type(contentType).send(text);
  });
  app.use(({ method }, res) => {
    if (METHODS.includes(method)) res.status(404).send('Here are /metrics, /livez and /readyz.\n');
    else res.status(405).set('Allow', METHODS.join(', ')).send('Only GET and HEAD are allowed.\n');
  });
  const sendError: ErrorRequestHandler = (error, _req, res, _next) =>
    void res.status(500).send(`${error instanceof Error ? error.message : error}\n`);
  return app.use(sendError);
}
