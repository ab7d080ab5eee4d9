import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { PetStore } from '@petstore/client';
import { type Logger, pino } from 'pino';
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
  const store = connect(config, logger);
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
  server.close();
  // A connection is idle, and would be kept, once the response that was in progress is sent.
  setInterval(() => server.closeIdleConnections(), 100).unref();
  setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS).unref();
  await closed;
}

/** @throws StartupError when the base address or the key is none that requests can be sent with */
function connect(config: Config, logger: Logger): PetStore {
  try {
    return connectPetStore(config, logger);
  } catch (error) {
    throw new StartupError(`The pet store cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}

function originOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on a port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
