import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What stands between callers and a server that comes and goes: the callers' address stays the same. */
export interface Proxy extends AsyncDisposable {
  origin: string;
  /** Where requests go from now on. */
  aim(origin: string): void;
  /**
   * Keeps answers from their callers from now on.
   *
   * @returns what was kept back, once there are this many: the server has given these answers, and
   *   nobody has got one
   */
  hold(answers: number): Promise<string[]>;
  /** Lets later answers through again. */
  release(): void;
}

/** Starts a proxy that hands bytes on as they are. */
export async function startProxy(): Promise<Proxy> {
  let target = { hostname: '', port: '' };
  let keep: ((answer: string) => void) | undefined;
  const sockets = new Set<Socket>();

  const server = createServer((caller) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [caller, upstream],
      [upstream, caller],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    caller.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      if (keep) keep(chunk.toString());
      else caller.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    origin: `http://127.0.0.1:${port}`,
    aim(origin) {
      target = new URL(origin);
    },
    hold(answers) {
      const kept: string[] = [];
      const { promise, resolve } = Promise.withResolvers<string[]>();
      keep = (answer) => {
        kept.push(answer);
        if (kept.length === answers) resolve(kept);
      };
      return promise;
    },
    release() {
      keep = undefined;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
