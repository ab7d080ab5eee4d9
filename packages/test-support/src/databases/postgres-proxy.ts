import { connect, createServer } from 'node:net';
import { listen } from '../servers/listen.ts';

/** Starts a TCP proxy in front of a PostgreSQL server. It keeps its address while the server restarts or changes. */
export async function startPostgresProxy({ url }: { url: string }) {
  let target = url;
  let responses: 'pass' | 'are withheld' | 'end the connection once' = 'pass';

  const server = createServer((client) => {
    const { hostname, port } = new URL(target);
    const upstream = connect(Number(port), hostname);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (responses === 'pass') client.write(bytes);
      if (responses === 'end the connection once') {
        responses = 'pass';
        client.end();
        upstream.destroy();
      }
    });
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).on('close', () => client.destroy());
  });
  const listening = await listen(server);
  return {
    ...listening,
    url: Object.assign(new URL(url), { host: new URL(listening.origin).host }).href,
    /** Connects new clients to another server. */
    aim(next: string) {
      target = next;
    },
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
