import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { ReadableStream } from 'node:stream/web';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Serves a `fetch` over HTTP on a free port of the loopback interface until disposed. */
export async function serve(fetch: Fetch): Promise<AsyncDisposable & { baseUrl: string }> {
  const server = createServer((request, response) => void answer(fetch, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://${hostOf(server)}/v1`,
    [Symbol.asyncDispose]: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Host and port of a server that listens on the loopback interface. */
export function hostOf(server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `127.0.0.1:${port}`;
}

async function answer(fetch: Fetch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const hasBody = !['GET', 'HEAD'].includes(method);
  const {
    status,
    headers: fields,
    body,
  } = await fetch(new URL(url, `http://${headers.host}`).href, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    body: hasBody ? ReadableStream.from(request) : null,
    duplex: 'half',
  });
  response.writeHead(status, Object.fromEntries(fields));
  response.end(new Uint8Array(await new Response(body).arrayBuffer()));
}
