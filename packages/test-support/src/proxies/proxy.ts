import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../servers/listen.ts';

export type Direction = 'request' | 'response';

export interface Cut {
  direction: Direction;
  /** How many bytes still pass in this direction. */
  after: number;
  /** How the connection is closed: with FIN or with RST. */
  ending: 'end' | 'resetAndDestroy';
}

/**
 * A TCP proxy, for HTTP and for PostgreSQL. Its own address stays the same while the server behind it comes
 * and goes.
 */
export interface ByteProxy extends AsyncDisposable {
  origin: string;
  /**
   * Connects new clients to another server. Without one it closes their connections: once a server was
   * killed, its port may be that of another test's server.
   */
  aim(origin?: string): void;
  /**
   * Keeps responses from the clients from now on.
   *
   * @returns what was kept, once it is this many pieces: the server has sent them and no client has one
   */
  hold(count: number): Promise<string[]>;
  /** Lets later responses pass again. What was kept is lost. */
  release(): void;
  /** Closes one connection at a given byte of the next request or response. */
  cut(cut: Cut): void;
  /** How many bytes have passed. */
  passed: Readonly<Record<Direction, number>>;
}

/**
 * Starts a proxy that forwards bytes as they are, until it is told to hold or to cut.
 *
 * @param origins of the servers, which get connections in turn; none if it does not run yet
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

/** A client whose server is away sees its connection close, as without a proxy. */
function closeTogether(client: Socket, upstream: Socket): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.on('error', () => {});
    socket.on('close', () => other.destroy());
  }
}
