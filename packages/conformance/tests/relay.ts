import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { hostOf } from '@petstore/test-support/serve-fetch';
import type { WireDefect } from './defects/wiring.ts';

/** Stands before a server and changes what goes over the wire. Each connection is one request and its answer. */
export async function relay(
  baseUrl: string,
  { reads = (request) => request, writes = (answer) => answer }: Partial<WireDefect>,
): Promise<AsyncDisposable & { baseUrl: string }> {
  const upstream = new URL(baseUrl);

  async function pass(client: Socket): Promise<void> {
    const [chunk] = await once(client, 'data');
    const request = String(chunk);
    const server = connect(Number(upstream.port), upstream.hostname);
    server.write(reads(request).replaceAll(`Host: ${hostOf(listener)}`, `Host: ${upstream.host}`));
    client.end(writes(await text(server), request));
  }

  const listener = createServer((client) => void pass(client));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    baseUrl: `http://${hostOf(listener)}/v1`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await once(listener, 'close');
    },
  };
}
