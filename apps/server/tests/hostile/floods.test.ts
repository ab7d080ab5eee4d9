import type { Socket } from 'node:net';
import { bearer, openSocket, readResponses, requestHead } from '@petstore/test-support/raw-http';
import { FIXED_KEY, peakBytes, startServer } from '@petstore/test-support/servers/server-process';
import { afterAll, expect, test } from 'vitest';

/** deploy/kubernetes/deployment.yaml states this maximum, below its limit of 512 MiB. */
const MAX_RESIDENT_BYTES = 500_000_000;

const server = await startServer({}, { log: 'silent' });
afterAll(() => server[Symbol.asyncDispose]());

const openSockets = (origin: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => openSocket(origin)));

/** More than Node's default backlog, 511. */
const NEWCOMERS = 800;

test('more connections than the default backlog of Node can wait while the server accepts none', async () => {
  server.child.kill('SIGSTOP');

  const waiting = await openSockets(server.origin, NEWCOMERS);

  server.child.kill('SIGCONT');
  for (const each of waiting) each.write(requestHead('GET /livez'));
  for (const each of waiting) {
    const [response] = await readResponses(each, { count: 1 });
    expect(response?.status).toBe(200);
    each.destroy();
  }
});

// This test comes last, because new connections wait until the server has parsed its requests.
test('a thousand connections that each send 1,800 requests at once leave memory bounded and a caller served', async () => {
  const caller = await openSocket(server.origin);
  expect(await ask(caller)).toBe(200);
  const sockets = await openSockets(server.origin, 1_000);
  for (const socket of sockets) socket.resume();

  const flood = Buffer.from(requestHead('GET /v1/pets').repeat(1_800));
  for (const socket of sockets) socket.write(flood);
  for (let time = 0; time < 20; time += 1) expect(await ask(caller)).toBe(200);

  expect(peakBytes(server)).toBeLessThan(MAX_RESIDENT_BYTES);
  for (const socket of [...sockets, caller]) socket.destroy();
});

/** Sends a request with a key. */
async function ask(caller: Socket): Promise<number | undefined> {
  caller.write(requestHead('GET /v1/pets', bearer(FIXED_KEY)));
  const [response] = await readResponses(caller, { count: 1 });
  return response?.status;
}
