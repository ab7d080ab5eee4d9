import { once } from 'node:events';
import type { Server } from 'node:http';
import { v1 } from '@petstore/contract';
import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import { originOf } from './routing/origin.ts';

/** The descriptor of the first socket that systemd passes (sd_listen_fds(3)). */
const PASSED_SOCKET = 3;

/**
 * Listens where the configuration says: on the socket that systemd holds, or on HOST and PORT. Connections to
 * the former wait while the service restarts, instead of being refused.
 *
 * @returns the base URL, with the version prefix, as seen from this machine
 * @throws OperatorError naming HOST, PORT or LISTEN_FDS
 */
export async function listen(server: Server, { HOST, PORT, LISTEN_FDS }: Config): Promise<string> {
  if (LISTEN_FDS === 0) return (await listenOn(server, HOST, PORT, '')) + v1.prefix;
  try {
    server.listen({ fd: PASSED_SOCKET });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new OperatorError(`LISTEN_FDS: descriptor ${PASSED_SOCKET} is no socket to listen on: ${code}`);
  }
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null)
    throw new OperatorError('LISTEN_FDS: the socket must be one of TCP');
  return originOf(bound.address, bound.port) + v1.prefix;
}

/**
 * Listens on an address.
 *
 * @param prefix of the names of the variables that the address is from, HOST and PORT
 * @returns the origin, as seen from this machine
 * @throws OperatorError naming the variable
 */
export async function listenOn(server: Server, host: string, port: number, prefix: string): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    if (code === 'EADDRINUSE')
      throw new OperatorError(`${prefix}PORT: ${port} is in use on ${host}; choose another, or 0`);
    if (code === 'EACCES') throw new OperatorError(`${prefix}PORT: this user may not listen on ${port}`);
    throw new OperatorError(`${prefix}HOST: cannot listen on ${host}: ${code}`);
  }
  const bound = server.address();
  return originOf(host, typeof bound === 'object' && bound !== null ? bound.port : port);
}
