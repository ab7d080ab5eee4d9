import type { Server } from 'node:net';

/** Lets a server listen on a free port of loopback, until disposed. */
export async function listen(
  server: Server & { closeAllConnections?(): void },
): Promise<AsyncDisposable & { origin: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections?.();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
