import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Listening, listen } from './listen.ts';

/**
 * Serves a `fetch` over HTTP on loopback, for tests that need a connection in between. If it throws, the connection is
 * closed.
 * @returns the address of the server, `baseUrl` with the version prefix
 */
export async function serveFetch(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Listening & { baseUrl: string }> {
  const listener = getRequestListener((request, { outgoing }) =>
    fetch(request.url, request).catch(() => {
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }),
  );
  const listening = await listen(createServer(listener));
  return { ...listening, baseUrl: `${listening.origin}/v1` };
}
