import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../servers/listen.ts';

export type Direction = 'request' | 'response';

export interface Cut {
  direction: Direction;
  /** How many more bytes pass in this direction. */
  after: number;
  /** How the connection is closed: with FIN or with RST. */
  ending: 'end' | 'resetAndDestroy';
}

/** A TCP proxy, for HTTP and PostgreSQL. It keeps its address while the server behind it restarts or changes. */
export interface ByteProxy extends AsyncDisposable {
  origin: string;
  /**
   * Connects new clients to another server. Without `origin` the proxy closes their connections, because another test's
   * server may get the port of a killed server.
   */
  aim(origin?: string): void;
  /**
   * Withholds all responses from now on.
   * @returns the first `count` pieces that the server has sent, when the proxy has withheld them
   */
  hold(count: number): Promise<string[]>;
  /** Lets later responses pass again. The withheld ones are lost. */
  release(): void;
  /** Closes a connection at a given byte of the next request or response. */
  cut(cut: Cut): void;
  /** How many bytes have passed. */
  passed: Readonly<Record<Direction, number>>;
}

/**
 * Starts a proxy that forwards bytes unchanged until `hold` or `cut`.
 * @param origins the servers, which get connections in turn. Without any, the proxy closes each connection
 */
export async function startProxy(...origins: string[]): Promise<ByteProxy> {
  let targets = origins;
  let connections = 0;
  let keep: ((response: string) => void) | undefined;
  let nextCut: Cut | undefined;
  const passed = { request: 0, response: 0 };

  const forward = (direction: Direction, to: Socket, from: Socket) => (bytes: Buffer) => {
    if (direction === 'response' && keep !== undefined) return keep(bytes.toString());
    const cut = nextCut?.direction === direction ? nextCut : undefined;
    if (cut === undefined || bytes.length <= cut.after) {
      if (cut !== undefined) cut.after -= bytes.length;
      passed[direction] += bytes.length;
      to.write(bytes);
      return;
    }
    nextCut = undefined;
    to.write(bytes.subarray(0, cut.after), () => {
      to[cut.ending]();
      from.destroy();
    });
  };

  const server = createServer((client) => {
    const target = targets[connections++ % targets.length];
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = connectTo(target);
    client.on('data', forward('request', upstream, client));
    upstream.on('data', forward('response', client, upstream));
    closeTogether(client, upstream);
  });
  const listening = await listen(server);
  return {
    ...listening,
    aim(origin) {
      targets = origin === undefined ? [] : [origin];
    },
    hold(count) {
      const { promise, resolve } = Promise.withResolvers<string[]>();
      const kept: string[] = [];
      keep = (response) => {
        kept.push(response);
        if (kept.length === count) resolve(kept);
      };
      return promise;
    },
    release() {
      keep = undefined;
    },
    cut(cut) {
      nextCut = cut;
    },
    passed,
  };
}

function connectTo(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname);
}

/** Closes the connection to a client with the connection to its server, and the other way round. */
function closeTogether(client: Socket, upstream: Socket): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.on('error', () => {});
    socket.on('close', () => other.destroy());
  }
}
