import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { listen } from './listen.ts';

/** Whether a process accepts connections on a port of loopback. */
export function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/**
 * Finds a free port of loopback for a server that starts later. It listens on the port, because `isListening` hangs if
 * the port's server has a full backlog. The port is below the ephemeral ports: the system could give one of these to
 * another process first.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    try {
      await (await listen(createServer(), port))[Symbol.asyncDispose]();
      return port;
    } catch (error) {
      if (Object(error).code !== 'EADDRINUSE') throw error;
    }
  }
}
