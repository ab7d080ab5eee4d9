import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '@petstore/test-support/listen';
import { createMemoryPetStore, type MemoryPetStore } from '../src/testing/index.ts';

/** Serves the in-memory pet store over HTTP on loopback. */
export async function serveMemory(): Promise<AsyncDisposable & { memory: MemoryPetStore; baseUrl: string }> {
  const memory = createMemoryPetStore();
  const server = createServer((request, response) => {
    // The body of a request can end early, when its connection is cut.
    respond(memory, request, response).catch(() => response.destroy());
  });
  const { origin, ...closing } = await listen(server);
  return { memory, baseUrl: `${origin}/v1`, ...closing };
}

async function respond(memory: MemoryPetStore, request: IncomingMessage, outgoing: ServerResponse) {
  const { method = '', url = '', headers } = request;
  const body = await buffer(request);
  const response = await memory.fetch(`http://petstore.test${url}`, {
    method,
    headers: new Headers(
      Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]),
    ),
    body: body.length === 0 ? null : new Uint8Array(body),
  });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(new Uint8Array(await response.arrayBuffer()));
}
