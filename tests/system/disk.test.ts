import { rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-support/files';
import { runTool } from '@petstore/test-support/programs';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, runCli, startServer } from '@petstore/test-support/servers/server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** The service needs at most 100 ms. A busy machine adds the rest. */
const READ_TIME_MS = 500;
/** A creation gets 503 after five seconds. A busy machine adds the rest. */
const CREATION_TIME_MS = 7_000;

/** Compiles the library that controls the syncs of a process as a faulty disk would, with `cc`. */
async function compileDisk(folder: TemporaryFolder) {
  const library = folder.file('stalling-disk.so');
  const args = ['-shared', '-fPIC', '-O1', '-o', library, `${import.meta.dirname}/stalling-disk.c`, '-ldl'];
  await runTool('cc', args, { env: process.env });
  const command = folder.file('disk-command');
  return {
    environment: { LD_PRELOAD: library, DISK_COMMAND: command },
    /** Makes each sync of a file whose name ends with `ending` wait, or fail with EIO, until `recover`. */
    async break(how: 'stall' | 'fail', ending: string) {
      // A rename is atomic: a process must not read half a command.
      await writeFile(`${command}.new`, `${how} ${ending}\n`);
      await rename(`${command}.new`, command);
    },
    recover: () => rm(command, { force: true }),
  };
}

let folder: TemporaryFolder;
let disk: Awaited<ReturnType<typeof compileDisk>>;
let server: Awaited<ReturnType<typeof start>>;

const environment = () => ({ DATABASE_URL: `sqlite:${folder.file('petstore.db')}`, ...disk.environment });
const start = () => startServer(environment(), { log: 'silent' });

async function killAndRestart(): Promise<void> {
  await server.stop('SIGKILL');
  server = await start();
}

const request = (path: string, init?: RequestInit) => fetchWithKey(server.origin, FIXED_KEY)(path, init);

async function create(name: string, headers = {}): Promise<number> {
  const signal = AbortSignal.timeout(CREATION_TIME_MS);
  const response = await request('/v1/pets', { ...creation(name, headers), signal });
  await response.text();
  return response.status;
}

/** Asserts that a probe, a list and a pet are served in time. */
async function expectReads(): Promise<void> {
  for (const path of ['/livez', '/v1/pets?status=sold', '/v1/pets/1']) {
    const { status } = await request(path, { signal: AbortSignal.timeout(READ_TIME_MS) });
    expect([path, status]).toEqual([path, 200]);
  }
}

/** Asserts that creations get 503 and reads are served in time, and that creations work after a recovery. */
async function expectOnlyCreationsToStop(...creations: Promise<number>[]): Promise<void> {
  for (let number = 0; number < 10; number += 1) {
    await expectReads();
    await sleep(100);
  }
  for (const status of await Promise.all(creations)) expect(status).toBe(503);
  await expectReads();
  await disk.recover();
  await expect.poll(() => create('after')).toBe(201);
  await expectReads();
}

beforeEach(async () => {
  folder = await temporaryFolder();
  disk = await compileDisk(folder);
  server = await start();
  expect(await create('first')).toBe(201);
});

afterEach(async () => {
  await disk.recover();
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('while the sync of the database at a checkpoint stalls, only creations stop', async () => {
  await disk.break('stall', '.db');
  const createUntilStopped = async () => {
    for (let number = 0; number < 5_000; number += 1) {
      const status = await create(`${number}`);
      if (status !== 201) return status;
    }
    throw new Error('No checkpoint stopped the creations');
  };
  await expectOnlyCreationsToStop(...Array.from({ length: 8 }, createUntilStopped));
});

test('a repeated creation gets 201 only once the writes of a killed server are synced', async () => {
  const repeat = () => create('repeated', { 'idempotency-key': 'key' });
  await disk.break('stall', '-wal');
  expect(await repeat()).toBe(503);
  await killAndRestart();
  await expectOnlyCreationsToStop(repeat());
  expect(await repeat()).toBe(201);
  const pets: unknown = await (await request('/v1/pets')).json();
  expect(pets).toMatchObject([{ name: 'first' }, { name: 'repeated' }, { name: 'after' }]);
});

test('a command that cannot close its database kills itself', async () => {
  await server.stop();
  await disk.break('stall', '.db');
  const { code, stdout } = await runCli(['keys', 'create', '--name', 'shop'], environment());
  expect({ code, stdout }).toEqual({ code: null, stdout: expect.stringMatching(/^pst_/) });
});

test.each([
  ['a running server', () => {}],
  ['a server that starts', killAndRestart],
])('while syncs fail, %s serves reads, and creations once the disk works again', async (_server, prepare) => {
  await disk.break('fail', '-wal');
  await prepare();
  await expectOnlyCreationsToStop(create('failed'));
});
