import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** What the admin listener responds with. */
export interface AdminSources {
  readMetrics(): Promise<{ contentType: string; text: string }>;
  isReady(): Promise<boolean>;
}

interface TextResponse {
  status: number;
  contentType?: string;
  text: string;
}

/** A listener for operators: `/metrics`, `/livez` and `/readyz`, without a key and outside the access log. */
export interface AdminListener extends AsyncDisposable {
  /** As seen from this machine. */
  readonly origin: string;
}

/**
 * Opens the admin listener. It shares nothing with the pipeline: a scrape works while callers are refused.
 *
 * @throws OperatorError naming ADMIN_HOST or ADMIN_PORT
 */
export async function openAdminListener(
  { host, port }: { host: string; port: number },
  sources: AdminSources,
): Promise<AdminListener> {
  const respond = createResponder(sources);
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(options, async (req, res) => send(res, await respond(req)));
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

function createResponder({ readMetrics, isReady }: AdminSources) {
  async function respondTo(path: string): Promise<TextResponse> {
    switch (path) {
      case '/livez':
        return { status: 200, text: 'ok\n' };
      case '/readyz':
        return (await isReady()) ? { status: 200, text: 'ok\n' } : { status: 503, text: 'not ready\n' };
      case '/metrics':
        return { status: 200, ...(await readMetrics()) };
      default:
        return { status: 404, text: 'Here are /metrics, /livez and /readyz.\n' };
    }
  }

  return async ({ method = '', url = '' }: IncomingMessage): Promise<TextResponse> => {
    if (!METHODS.includes(method)) return { status: 405, text: 'Only GET and HEAD are allowed.\n' };
    const [path = ''] = url.split('?');
    try {
      return await respondTo(path);
    } catch (error) {
      return { status: 500, text: `${error instanceof Error ? error.message : error}\n` };
    }
  };
}

function send(
  res: ServerResponse,
  { status, contentType = 'text/plain; charset=utf-8', text }: TextResponse,
): void {
  res.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 405 && { Allow: METHODS.join(', ') }),
  });
  res.end(text);
}
