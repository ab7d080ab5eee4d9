import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

/** Whether a process accepts connections on a port of loopback. */
export function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/**
 * Finds a port of loopback on which no process listens, for a server that starts later. It is below the ephemeral
 * ports: the system could give one of these to another process first.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (!(await isListening(port))) return port;
  }
}
