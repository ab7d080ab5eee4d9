import { setTimeout as sleep } from 'node:timers/promises';
import { checks } from '@petstore/conformance';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { temporaryFolder } from '@petstore/test-support/files';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import {
  FIXED_KEY,
  runCli,
  type ServerProcess,
  startServer,
} from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import { expect, test } from 'vitest';
import { expectExactlyOnce, readPetsByName } from '#support/pets-by-name';

const WORKERS = 3;
const KILLS = 4;

/** The processes that have logged that they listen, by the number of the worker. */
function workersOf(server: ServerProcess): Map<number, number> {
  const lines = server.output().matchAll(/"worker":(\d+),"address":.*"pid":(\d+)/g);
  return new Map(Array.from(lines, ([, worker, pid]) => [Number(worker), Number(pid)]));
}

const startWorkers = (url: string) => startServer({ DATABASE_URL: url, WORKERS: `${WORKERS}` });

const allListen = (server: ServerProcess, count = WORKERS) =>
  expect.poll(() => workersOf(server).size).toBe(count);

/** Sends a request on a new connection, which goes to the next worker. */
const ask = async (server: ServerProcess, key: string, init: RequestInit = {}) =>
  fetch(`${server.baseUrl}/pets`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${key}`, connection: 'close' },
  });

test.each(engines)(
  'over %s, every acknowledged pet exists exactly once after workers were killed',
  async (engine) => {
    const random = randomIntegers(chooseSeed('workers'));
    await using database = await temporaryDatabase(engine);
    await using server = await startWorkers(database.url);
    await allListen(server);
    const writers = startWriters(server.origin, { count: 16, random });
    const killed = new Set<number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(random(100, 500));
      const alive = [...workersOf(server).values()].filter((pid) => !killed.has(pid));
      const pid = alive[random(0, alive.length - 1)] ?? 0;
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
      await allListen(server, WORKERS + kill + 1);
    }
    await writers.end();
    expectExactlyOnce(await readPetsByName(server.baseUrl), writers.creations);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  },
);

// Over PostgreSQL, workers are what the replicas of creation/replicas.test.ts are.
test('fifty requests with one Idempotency-Key to all workers add one pet', async () => {
  await using database = await temporaryDatabase('sqlite');
  await using server = await startWorkers(database.url);
  await allListen(server);
  const body = '{"name":"Rex","categoryId":1}';
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'one' };
  const create = () => ask(server, FIXED_KEY, { method: 'POST', headers, body });
  const responses = await Promise.all(Array.from({ length: 50 }, create));
  const bodies = new Set(await Promise.all(responses.map((response) => response.text())));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
  expect(bodies.size).toBe(1);
  expect(await (await ask(server, FIXED_KEY)).json()).toHaveLength(1);
});

test('all workers soon refuse a revoked key', async () => {
  await using database = await temporaryDatabase('sqlite');
  await using server = await startWorkers(database.url);
  await allListen(server);
  const environment = { DATABASE_URL: database.url };
  const key = (await runCli(['keys', 'create', '--name', 'shop'], environment)).stdout.trim();
  const statuses = async () => {
    const responses = await Promise.all(Array.from({ length: 4 * WORKERS }, () => ask(server, key)));
    return new Set(responses.map(({ status }) => status));
  };
  expect(await statuses()).toEqual(new Set([200]));
  await runCli(['keys', 'revoke', 'shop'], environment);
  await expect.poll(statuses).toEqual(new Set([401]));
});

test('workers conform to the contract', async () => {
  await using database = await temporaryDatabase('sqlite');
  await using server = await startWorkers(database.url);
  await allListen(server);
  const failures: string[] = [];
  for (const check of checks) {
    await check
      .run({ baseUrl: server.baseUrl, apiKey: FIXED_KEY, fetch })
      .catch((error) => failures.push(`${check.name}: ${error}`));
  }
  expect(failures).toEqual([]);
});

test('a start that fails prints one line, however many workers it was to have', async () => {
  await using folder = await temporaryFolder();
  const PORT = `${await findFreePort()}`;
  const DATABASE_URL = `sqlite:${folder.file('petstore.db')}`;
  await using _other = await startServer({ PORT, DATABASE_URL });
  const { code, stderr } = await runCli(['serve'], { PORT, DATABASE_URL, WORKERS: '3' });
  expect({ code, lines: stderr.trim().split('\n') }).toEqual({
    code: 1,
    lines: [`petstore: PORT: ${PORT} is in use on 127.0.0.1; choose another, or 0`],
  });
});

test('workers do not outlive the primary', async () => {
  await using database = await temporaryDatabase('sqlite');
  await using server = await startWorkers(database.url);
  await allListen(server);
  await server.stop('SIGKILL');
  await expect.poll(() => ask(server, FIXED_KEY).catch(() => 'away')).toBe('away');
});
