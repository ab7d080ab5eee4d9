import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import { type Listening, listen } from './listen.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Serves a `fetch` over HTTP on loopback, for tests that need a connection in between.
 * @param port of loopback @default a free one
 * @returns the address of the server, `baseUrl` with the version prefix
 */
export async function serveFetch(fetch: Fetch, port?: number): Promise<Listening & { baseUrl: string }> {
  const server = createServer((request, response) => {
    // The body of a request ends early when its connection is cut.
    respond(fetch, request, response).catch(() => response.destroy());
  });
  const listening = await listen(server, port);
  return { ...listening, baseUrl: `${listening.origin}/v1` };
}

async function respond(fetch: Fetch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const hasBody = !['GET', 'HEAD'].includes(method);
  const fetched = await fetch(new URL(url, `http://${headers.host}`).href, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    body: hasBody ? ReadableStream.from(request) : null,
    duplex: 'half',
  });
  response.writeHead(fetched.status, Object.fromEntries(fetched.headers));
  response.end(new Uint8Array(await fetched.arrayBuffer()));
}
