import { connect, createServer, type Socket } from 'node:net';
import { listen } from '@petstore/test-support/listen';
import { afterAll } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { serveMemory } from './serve-memory.ts';

/** How a connection is closed: with FIN or with RST. */
export type Ending = 'end' | 'resetAndDestroy';

type Side = 'request' | 'response';

interface Cut {
  side: Side;
  /** How many bytes still pass. */
  after: number;
  ending: Ending;
}

const opened: AsyncDisposable[] = [];
afterAll(() => Promise.all(opened.map((server) => server[Symbol.asyncDispose]())));

/** A store behind a TCP relay that cuts one connection at a given byte of the next request or response. */
export async function storeBehindRelay() {
  const service = await serveMemory();
  const passed: Record<Side, number> = { request: 0, response: 0 };
  const next: { cut?: Cut | undefined } = {};

  const pass = (side: Side, to: Socket, other: Socket) => (bytes: Buffer) => {
    const { cut } = next;
    if (cut?.side !== side || bytes.length <= cut.after) {
      if (cut?.side === side) cut.after -= bytes.length;
      passed[side] += bytes.length;
      return to.write(bytes);
    }
    next.cut = undefined;
    return to.write(bytes.subarray(0, cut.after), () => {
      to[cut.ending]();
      other.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    client.on('data', pass('request', upstream, client));
    upstream.on('data', pass('response', client, upstream));
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  });
  const { origin, ...closing } = await listen(server);
  opened.push(closing, service);
  const { apiKey, pets } = service.memory;
  const store = createPetStore({ baseUrl: `${origin}/v1`, apiKey, retryDelayMs: 0 });
  return {
    store,
    pets,
    /** How many bytes have passed so far. */
    passed,
    cut: (cut: Cut) => {
      next.cut = cut;
    },
  };
}
