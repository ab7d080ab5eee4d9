import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endTogether } from './end-together.ts';

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    get: async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('every answer of a turn is sent, those beyond the first sixteen too', async () => {
  const paths = Array.from({ length: 40 }, (_, number) => `/${number}`);
  const waiting: Parameters<RequestListener>[] = [];
  await using server = await listen((...request) => {
    waiting.push(request);
    if (waiting.length < paths.length) return;
    for (const [{ url }, res] of waiting) endTogether(res, url);
  });
  expect(await Promise.all(paths.map((path) => server.get(path)))).toEqual(paths);
});

test('an answer waits for the others of its turn, and for none of a later one', async () => {
  const seen: unknown[] = [];
  await using server = await listen(async (_req, res) => {
    endTogether(res, 'body');
    seen.push(res.writableEnded);
    await endOfTurn();
    seen.push(res.writableEnded);
  });
  expect(await server.get('/')).toBe('body');
  expect(seen).toEqual([false, true]);
});
