import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import { createApp } from './app.ts';
import { type Config, StartupError } from './config.ts';
import { connectPetStore } from './pet-store.ts';

/** How long requests in progress get to finish after a signal. */
const STOP_TIMEOUT_MS = 20_000;

/**
 * Runs the app until SIGTERM or SIGINT, then lets requests in progress finish.
 *
 * @throws StartupError when it cannot start
 */
export async function serve(config: Config): Promise<void> {
  const logger = pino({ level: config.LOG_LEVEL });
  const store = connectPetStore(config, logger);
  const app = createApp({ config, store, logger });
  const server = createServer({ keepAliveTimeout: 65_000 }, getRequestListener(app.fetch));
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening').catch(({ message }: Error) => {
    throw new StartupError(`HOST or PORT cannot be listened on: ${message}`);
  });
  const stop = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  logger.info({ address: originOf(server.address()) }, 'Listening');

  await stop;
  logger.info('Stopping');
  const closed = once(server, 'close');
  // Ends idle connections too.
  server.close();
  setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS).unref();
  await closed;
}

function originOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on a port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
