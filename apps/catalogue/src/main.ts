import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { MAX_TIMEOUT_MS, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { connectPetStore } from './pet-store.ts';

/** Exceeds the time for which proxies keep idle connections, commonly 60 seconds. */
const KEEP_ALIVE_MS = 65_000;

/** How long requests in progress may take after a signal. */
const STOP_MS = MAX_TIMEOUT_MS + 5_000;

try {
  if (process.argv.length > 2)
    throw new TypeError('takes no arguments: its settings are environment variables, see its README');
  await serve();
} catch (error) {
  // The operator gets one line that says what to change.
  process.stderr.write(`catalogue: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

/** Runs the app until SIGTERM or SIGINT, then lets requests in progress finish. */
async function serve(): Promise<void> {
  const config = readConfig();
  const logger = await createLogger(config);
  const app = createApp(config, connectPetStore(config, logger), logger);
  // Probes in HTTP/1.0, such as HAProxy's, have no Host.
  const listener = getRequestListener(app.fetch, { hostname: 'localhost' });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening');
  const stop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  const bound = server.address();
  if (bound === null || typeof bound === 'string')
    throw new TypeError('The server must listen on a TCP port');
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  logger.info({ address: `http://${host}:${bound.port}` }, 'Listening');

  await stop;
  logger.info('Stopping');
  server.close();
  // Browsers would keep a connection open after the response in progress.
  setInterval(() => server.closeIdleConnections(), 100).unref();
  setTimeout(() => server.closeAllConnections(), STOP_MS).unref();
  // A thread that writes the log to a full pipe would keep the process alive, and block `process.exit`.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_MS + 1_000).unref();
}
