import { connect, createServer } from 'node:net';
import { listen } from './servers/listen.ts';

/**
 * Starts a TCP proxy in front of a server. It keeps its address while the server behind it restarts or changes.
 * @param origin of the server
 */
export async function startProxy(origin: string) {
  let target = origin;
  let responses: 'pass' | 'are withheld' | 'end the connection once' = 'pass';

  const server = createServer((client) => {
    const { hostname, port } = new URL(target);
    const upstream = connect(Number(port), hostname);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (responses === 'pass') client.write(bytes);
      if (responses !== 'end the connection once') return;
      responses = 'pass';
      client.end();
      upstream.destroy();
    });
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).on('close', () => client.destroy());
  });
  return {
    ...(await listen(server)),
    /** Connects new clients to another server. */
    aim(next: string) {
      target = next;
    },
    /** Withholds all responses from now on. */
    hold() {
      responses = 'are withheld';
    },
    /** Lets later responses pass again. The withheld ones are lost. */
    release() {
      responses = 'pass';
    },
    /** Ends a connection instead of sending the next response. */
    cutOnce() {
      responses = 'end the connection once';
    },
  };
}
