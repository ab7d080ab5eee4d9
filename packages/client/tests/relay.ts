import { connect, createServer, type Socket } from 'node:net';
import { listen } from '@petstore/test-support/listen';
import { afterAll } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { serveMemory } from './serve-memory.ts';

/** How a connection ends before its time: with a last packet, or without. */
export type Ending = 'end' | 'resetAndDestroy';

type Side = 'request' | 'answer';

interface Cut {
  side: Side;
  /** So many bytes still pass. */
  after: number;
  ending: Ending;
}

const opened: AsyncDisposable[] = [];
afterAll(() => Promise.all(opened.map((server) => server[Symbol.asyncDispose]())));

/** A store behind a relay of bytes, which cuts one connection within the next exchange where it is told to. */
export async function storeOverRelay() {
  const service = await serveMemory();
  const passed: Record<Side, number> = { request: 0, answer: 0 };
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
    upstream.on('data', pass('answer', client, upstream));
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  });
  const { origin, ...closing } = await listen(server);
  opened.push(closing, service);
  const { apiKey, pets: animals } = service.memory;
  const store = createPetStore({ baseUrl: `${origin}/v1`, apiKey, retryDelayMs: 0 });
  return {
    store,
    animals,
    /** How many bytes have passed so far. */
    passed,
    cut: (cut: Cut) => {
      next.cut = cut;
    },
  };
}
