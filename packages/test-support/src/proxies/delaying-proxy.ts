import { connect, createServer, type Socket } from 'node:net';
import { type Listening, listen } from '../servers/listen.ts';

/**
 * Starts a TCP proxy whose server seems to be further away.
 *
 * @param port of the server, on loopback
 * @param delayMs how long the bytes take in each direction
 */
export async function startDelayingProxy(port: number, delayMs: number): Promise<Listening> {
  const forward = (from: Socket, to: Socket) => {
    from.setNoDelay();
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs));
    from.on('error', () => {});
    from.on('close', () => setTimeout(() => to.destroy(), delayMs));
  };
  return listen(
    createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      forward(client, upstream);
      forward(upstream, client);
    }),
  );
}
