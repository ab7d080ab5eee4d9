import { findFreePort } from '../servers/free-port.ts';
import { AF_INET, bind, checked, close, ipv4, listen, SOCK_STREAM, socket } from './system-calls.ts';

/** Connections that may wait for a process to accept them. */
const BACKLOG = 1_024;

/**
 * Opens a socket that listens on a free port of loopback and accepts nothing, as systemd holds one for a
 * service. A server of Node would accept connections in this process.
 *
 * @returns `fd` for a child process; connections wait until one accepts them
 */
export async function openListeningSocket(): Promise<Disposable & { fd: number; origin: string }> {
  const port = await findFreePort();
  const fd = checked('socket', socket(AF_INET, SOCK_STREAM, 0));
  const address = ipv4('127.0.0.1', port);
  checked('bind', bind(fd, address, address.length));
  checked('listen', listen(fd, BACKLOG));
  return {
    fd,
    origin: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      close(fd);
    },
  };
}
