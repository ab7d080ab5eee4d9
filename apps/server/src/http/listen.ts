import { once } from 'node:events';
import type { Server } from 'node:http';
import { v1 } from '@petstore/contract';
import type { Config } from '../config.ts';
import { StartupError } from '../process/startup-error.ts';

/** A wildcard address is where to listen, not where to call. */
const CALLABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Listens where the configuration says.
 *
 * @returns the base URL, with the version prefix, as seen from this machine
 * @throws StartupError naming HOST or PORT
 */
export async function listen(server: Server, { HOST, PORT }: Config): Promise<string> {
  try {
    server.listen(PORT, HOST);
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    if (code === 'EADDRINUSE')
      throw new StartupError(`PORT: ${PORT} is in use on ${HOST}; choose another, or 0`);
    if (code === 'EACCES') throw new StartupError(`PORT: this user may not listen on ${PORT}`);
    throw new StartupError(`HOST: cannot listen on ${HOST}: ${code}`);
  }
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : PORT;
  const host = CALLABLE[HOST] ?? HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${v1.prefix}`;
}
