import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Config } from './config.ts';
import { OperatorError, systemCodeOf } from './operator-error.ts';
import { originOf } from './origin.ts';

/** The descriptor of the first socket that systemd passes (sd_listen_fds(3)). */
const PASSED_SOCKET = 3;

/**
 * Listens on the socket that systemd holds, where connections wait while the service restarts, or on HOST and PORT.
 * @returns the origin, as seen from this machine
 * @throws OperatorError naming HOST, PORT or LISTEN_FDS
 */
export async function listenAsConfigured(server: Server, config: Config): Promise<string> {
  const { HOST: host, PORT: port, LISTEN_FDS, MAX_CONNECTIONS: backlog } = config;
  if (LISTEN_FDS === 0) return listen(server, { host, port, backlog });
  try {
    // Node listens again on this socket. Without this argument the backlog would become 511.
    server.listen({ fd: PASSED_SOCKET }, backlog);
    await once(server, 'listening');
  } catch (error) {
    const problem = `descriptor ${PASSED_SOCKET} is no socket to listen on: ${systemCodeOf(error)}`;
    throw new OperatorError(`LISTEN_FDS: ${problem}`);
  }
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) {
    throw new OperatorError('LISTEN_FDS: the socket must be a TCP socket');
  }
  return originOf(bound.address, bound.port);
}

/**
 * Listens on an address.
 * @param address.port 0 picks a free port
 * @param address.backlog connections that may wait in the kernel, which may have a lower maximum (listen(2))
 * @returns the origin, as seen from this machine
 * @throws OperatorError naming the variable with the host or the port
 */
export async function listen(
  server: Server,
  { host, port, backlog }: { host: string; port: number; backlog?: number },
  variables = { host: 'HOST', port: 'PORT' },
): Promise<string> {
  try {
    server.listen({ host, port, backlog });
    await once(server, 'listening');
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'EADDRINUSE') {
      throw new OperatorError(`${variables.port}: ${port} is in use on ${host}; choose another, or 0`);
    }
    if (code === 'EACCES') throw new OperatorError(`${variables.port}: this user may not listen on ${port}`);
    throw new OperatorError(`${variables.host}: cannot listen on ${host}: ${code}`);
  }
  const bound = server.address();
  return originOf(host, typeof bound === 'object' && bound !== null ? bound.port : port);
}
