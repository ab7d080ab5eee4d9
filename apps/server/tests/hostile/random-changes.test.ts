import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizeLimits } from '@petstore/contract';
import { temporaryFolder } from '@petstore/test-support/files';
import { chooseSeed } from '@petstore/test-support/seed';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import {
  assertWellFormed,
  openSocket,
  type RawResponse,
  readResponses,
} from '@petstore/test-support/sockets/raw-http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mutated } from '#support/mutations';
import { creation, toBytes } from '#support/requests';

const AT_ONCE = 50;
const MIB = 1024 * 1024;

const post = creation(FIXED_KEY, '{"name":"Ñandú","categoryId":7,"status":"sold"}');
const get = { ...creation(FIXED_KEY, ''), method: 'GET', target: '/v1/pets?limit=3&status=sold' };
const keyed = { ...post, headers: [...post.headers, ['Idempotency-Key', '"k"'] satisfies [string, string]] };
const REQUESTS = [post, { ...post, isChunked: true }, get, { ...get, target: '/v1/pets/1' }, keyed].map(
  toBytes,
);
const keptOpen = REQUESTS.map((bytes) =>
  Buffer.from(bytes.toString('latin1').replace('Connection: close\r\n', ''), 'latin1'),
);
const PIPELINED = [Buffer.concat(keptOpen), Buffer.concat([...keptOpen].reverse())];

/**
 * Longer than any part of a request may be. Sent after a request that was changed, it brings the server to
 * a decision, whatever it still waits for: no test has to wait for silence.
 */
const SURPLUS = Buffer.alloc(sizeLimits.head + sizeLimits.body, 'x');

/** Sends bytes and reads the responses until the server closes the connection. */
async function send(origin: string, bytes: Buffer): Promise<RawResponse[]> {
  const socket = await openSocket(origin);
  // The server takes and discards what a client still sends after its last response, for a while.
  socket.on('data', (chunk: Buffer) => {
    if (chunk.includes('\r\nConnection: close\r\n')) socket.end();
  });
  socket.write(Buffer.concat([bytes, SURPLUS]));
  return readResponses(socket);
}

/** Resident memory of a process in bytes, after a pause in which it can tidy up. */
async function settledMemory(pid: number | undefined): Promise<number> {
  await sleep(500);
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' }).stdout) * 1024;
}

test('requests with random changes get well-formed responses, and the server keeps its memory', async () => {
  const seed = chooseSeed('fuzz');
  await using folder = await temporaryFolder();
  await using server = await startServer({}, { cwd: folder.path });

  async function fuzz(numRuns: number, seed: number) {
    let received = 0;
    const batches = fc.array(mutated([...REQUESTS, ...PIPELINED]), {
      minLength: AT_ONCE,
      maxLength: AT_ONCE,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        const responses = await Promise.all(batch.map((bytes) => send(server.origin, bytes)));
        for (const response of responses.flat()) {
          assertWellFormed(response);
          received += 1;
        }
        expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
      }),
      { seed, numRuns, endOnFailure: true, includeErrorInReport: true },
    );
    return received;
  }

  await fuzz(8, seed);
  const before = await settledMemory(server.child.pid);
  const received = await fuzz(24, seed + 1);
  const after = await settledMemory(server.child.pid);
  expect(received).toBeGreaterThan(AT_ONCE * 12);
  expect(after - before).toBeLessThan(48 * MIB);
  expect(server.child.exitCode).toBe(null);
});
