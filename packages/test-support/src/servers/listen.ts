import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

/** A server on loopback, closed with all its connections when it is disposed. */
export interface Listening extends AsyncDisposable {
  origin: string;
}

/** Lets a server listen on a port of loopback. @default a free one @throws the error of `listen` */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
