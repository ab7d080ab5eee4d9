import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { creationHead } from '@petstore/test-support/pet-store-http';
import { bearer, openSocket, readResponses, requestHead } from '@petstore/test-support/raw-http';
import { creation, type fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, longTimeouts, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

/** Below the 450 MB of memory that docs/deploy.md asks for. */
const MAX_RESIDENT_BYTES = 400 * 1024 * 1024;

const SILENT_CLIENTS = `${import.meta.dirname}/silent_clients.py`;

/** The peak of a process's resident memory so far, as Linux states it. */
function peakBytes({ pid }: ChildProcess): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

const unfinishedCreation = () =>
  `${creationHead(FIXED_KEY, 'Content-Length: 60000')}{"name":"${'x'.repeat(59_000)}`;

/**
 * Adds 100 pets with names near the body limit of 64 KiB, so that a page has 6 MB. Requests the page by 64 different
 * URLs, so that no cache serves it: each connection replaces RANDOM with another number.
 */
async function pagesOf6MB(request: ReturnType<typeof fetchWithKey>): Promise<string> {
  for (let added = 0; added < 100; added += 1) {
    const response = await request('/pets', creation('x'.repeat(60_000)));
    expect(response.status).toBe(201);
    await response.arrayBuffer();
  }
  const paths = Array.from({ length: 64 }, (_, index) => `/v1/pets?limit=100&n=RANDOM${index}`);
  return paths.map((path) => requestHead(`GET ${path}`, bearer(FIXED_KEY))).join('');
}

type CreateInput = (request: ReturnType<typeof fetchWithKey>) => string | Promise<string>;
const floods: [engine: Engine, connections: number, what: string, createInput: CreateInput][] = [
  ['sqlite', 1_500, 'ask for 64 OpenAPI documents', () => requestHead('GET /openapi.json').repeat(64)],
  ['sqlite', 400, 'send long headers', () => requestHead('GET /livez', `X: ${'x'.repeat(15_000)}`).repeat(8)],
  ['sqlite', 40, 'ask for pages of 6 MB', pagesOf6MB],
  // On PostgreSQL, simultaneous reads share one statement, so all their rows are in memory together.
  ['postgres', 300, 'ask for pages of 6 MB', pagesOf6MB],
  ['sqlite', 1_000, 'send unfinished bodies', unfinishedCreation],
];

test.each(floods.filter(([engine]) => engines.includes(engine)))(
  'over %s, %i connections that %s and never read leave memory bounded and other clients served',
  async (engine, connections, _what, createInput) => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url, ...longTimeouts };
    await using server = await startServer(environment, { log: 'silent' });
    const input = await createInput(server.request);
    const probe = async () => expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
    using clients = spawn('python3', [SILENT_CLIENTS, new URL(server.origin).port, `${connections}`]);
    clients.stdin.end(input);
    // The clients print a line once all are connected.
    const allConnected = once(clients.stdout, 'data').then(() => true);
    while (!(await Promise.race([allConnected, sleep(200, false)]))) await probe();
    for (let time = 0; time < 10; time += 1) {
      await probe();
      await sleep(100);
    }
    expect((await server.request('/pets?limit=1')).status).toBe(200);
    console.info(`peak ${Math.round(peakBytes(server.child) / 1_000_000)} MB`);
    expect(peakBytes(server.child)).toBeLessThan(MAX_RESIDENT_BYTES);
    expect(server.child.exitCode).toBe(null);
  },
);

test('a thousand connections that each send 1,800 requests at once leave memory bounded and a caller served', async () => {
  await using server = await startServer({}, { log: 'silent' });
  const caller = await openSocket(server.origin);
  const sockets = await Promise.all(Array.from({ length: 1_000 }, () => openSocket(server.origin)));
  // 61 kB: Node.js reads all of it at once, because it reads up to 64 KiB.
  const flood = Buffer.from(requestHead('GET /v1/pets').repeat(1_800));
  for (const socket of sockets) socket.resume().write(flood);
  for (let time = 0; time < 20; time += 1) {
    caller.write(requestHead('GET /v1/pets', bearer(FIXED_KEY)));
    expect(await readResponses(caller, { count: 1 })).toMatchObject([{ status: 200 }]);
  }
  expect(peakBytes(server.child)).toBeLessThan(MAX_RESIDENT_BYTES);
});
