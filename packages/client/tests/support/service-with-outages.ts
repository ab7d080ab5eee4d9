import { connect, createServer, type Server, type Socket } from 'node:net';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { createMemoryPetStore } from '../../src/testing/memory-pet-store.ts';

/** What a request meets: a service, closed connections, nothing that listens, or Errors of the service. */
export type Condition =
  | 'up'
  | 'closes connections'
  | 'refuses connections'
  | 'database_unavailable'
  | 'overloaded';

/** A service on one port of loopback that can be away for a while, in the ways in which services are. */
export async function startServiceWithOutages() {
  const memory = createMemoryPetStore();
  let condition: Condition = 'up';
  let requests = 0;
  const service = await serveFetch(async (url, init) => {
    requests += 1;
    if (condition === 'up') return memory.fetch(url, init);
    if (condition === 'closes connections') throw new Error(condition);
    const body = JSON.stringify({ code: condition, message: 'Later.', status: 503 });
    return new Response(body, { status: 503, headers: { 'retry-after': '1' } });
  });
  const port = await findFreePort();
  let relay: Relay | undefined = await startRelay(port, Number(new URL(service.origin).port));

  return {
    ...memory,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** How many requests came. Those that were refused did not come. */
    requests: () => requests,
    async become(next: Condition): Promise<void> {
      condition = next;
      if (next === 'refuses connections') {
        await relay?.stop();
        relay = undefined;
      } else {
        relay ??= await startRelay(port, Number(new URL(service.origin).port));
      }
    },
    async [Symbol.asyncDispose]() {
      await relay?.stop();
      await service[Symbol.asyncDispose]();
    },
  };
}

interface Relay {
  stop(): Promise<void>;
}

/** Passes connections on to another port, until it stops and the port refuses them. */
async function startRelay(port: number, target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((incoming) => {
    const outgoing = keep(connect(target, '127.0.0.1'));
    keep(incoming).pipe(outgoing).pipe(incoming);
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
