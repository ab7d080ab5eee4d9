import type { Server } from 'node:http';
import { v1 } from '@petstore/contract';
import type { Config } from '../config.ts';
import type { AdminSources } from '../http/admin-listener.ts';
import { ListenError, listen, listenOnPassedSocket } from '../http/listen.ts';
import { OperatorError } from '../operator-error.ts';

type ListenVariables = Pick<Config, 'HOST' | 'PORT' | 'LISTEN_FDS' | 'MAX_CONNECTIONS'>;

/**
 * Listens where the configuration says: on the socket that systemd holds, or on HOST and PORT.
 *
 * @returns the base URL, with the version prefix, as seen from this machine
 * @throws OperatorError naming HOST, PORT or LISTEN_FDS
 */
export async function listenAsConfigured(
  server: Server,
  { HOST: host, PORT: port, LISTEN_FDS, MAX_CONNECTIONS: backlog }: ListenVariables,
): Promise<string> {
  const listening =
    LISTEN_FDS > 0 ? listenOnPassedSocket(server, { backlog }) : listen(server, { host, port, backlog });
  return (await naming(listening, { host: 'HOST', port: 'PORT', socket: 'LISTEN_FDS' })) + v1.prefix;
}

/**
 * Opens the admin listener on ADMIN_HOST and ADMIN_PORT.
 *
 * @throws OperatorError naming one of them
 */
export async function openAdminListenerAsConfigured(
  { ADMIN_HOST: host, ADMIN_PORT: port = 0 }: Pick<Config, 'ADMIN_HOST' | 'ADMIN_PORT'>,
  sources: AdminSources,
) {
  // Loaded only where it is used.
  const { openAdminListener } = await import('../http/admin-listener.ts');
  const opening = openAdminListener({ host, port }, sources);
  return naming(opening, { host: 'ADMIN_HOST', port: 'ADMIN_PORT', socket: 'ADMIN_PORT' });
}

/** Names the variable that is to be changed when a server cannot listen. */
async function naming<Result>(
  listening: Promise<Result>,
  variables: Record<ListenError['fault'], string>,
): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new OperatorError(`${variables[error.fault]}: ${error.message}`);
  }
}
