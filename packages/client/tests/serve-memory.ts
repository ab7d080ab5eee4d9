import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '@petstore/test-support/listen';
import { createMemoryPetStore, type MemoryPetStore } from '../src/testing/index.ts';

/** The pet store in memory, over HTTP on loopback. */
export async function serveMemory(): Promise<AsyncDisposable & { memory: MemoryPetStore; baseUrl: string }> {
  const memory = createMemoryPetStore();
  const server = createServer((request, response) => {
    // A request that was cut has nobody to be answered.
    answer(memory, request, response).catch(() => response.destroy());
  });
  const { origin, ...closing } = await listen(server);
  return { memory, baseUrl: `${origin}/v1`, ...closing };
}

async function answer(memory: MemoryPetStore, request: IncomingMessage, response: ServerResponse) {
  const { method = '', url = '', headers } = request;
  const body = await buffer(request);
  const answer = await memory.fetch(`http://petstore.test${url}`, {
    method,
    headers: new Headers(
      Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]),
    ),
    body: body.length === 0 ? null : new Uint8Array(body),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(new Uint8Array(await answer.arrayBuffer()));
}
