import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { listen } from './listen.ts';

/**
 * Finds a port of loopback on which no process listens, for a server that starts later. It is below the ephemeral
 * ports: the system could give one of these to another process first.
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
