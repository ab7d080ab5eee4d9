import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createPetStore, type NewPet } from '@petstore/client';
import { type Pet, stringifyJson } from '@petstore/contract';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProxy } from '@petstore/test-support/proxies/proxy';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { PETS, runPets, startPets } from './run-pets.ts';

const COUNT = 1_500;

let server: ServerProcess;
let pets: Pet[];
const cleanup = new AsyncDisposableStack();

beforeAll(async () => {
  const folder = cleanup.use(await temporaryFolder());
  server = cleanup.use(await startServer({}, { cwd: folder.path, log: 'silent' }));
  const store = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
  const names = ['Ñandú 🦤', 'a "b", c', 'two\nlines', '', ' spaces ', 'red\u001b[31m'];
  for (let first = 0; first < COUNT; first += 50) {
    const newPets = Array.from(
      { length: 50 },
      (_, index): NewPet => ({
        name: names[first + index] ?? `pet ${first + index}`,
        categoryId: 2n ** 63n - 1n - BigInt(first + index),
        ...(index % 2 === 0 && { status: 'sold' }),
      }),
    );
    await Promise.all(newPets.map((pet) => store.createPet(pet)));
  }
  pets = await Array.fromAsync(store.pets({ pageSize: 100 }));
});

afterAll(() => cleanup.disposeAsync());

const run = (args: string[], { cwd, baseUrl = server.baseUrl }: { cwd?: string; baseUrl?: string } = {}) =>
  runPets(args, { ...(cwd && { cwd }), environment: { PETSTORE_BASE_URL: baseUrl } });

const ndjson = (list: readonly Pet[]) => list.map((pet) => `${stringifyJson(pet)}\n`).join('');

test('pets export writes every pet as a line of JSON, with exact integers', async () => {
  const { stdout, stderr, code } = await run(['export']);
  expect(stdout).toBe(ndjson(pets));
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const sold = await run(['export', '--status', 'sold']);
  expect(sold.stdout).toBe(ndjson(pets.filter(({ status }) => status === 'sold')));
});

test('pets import adds to another service what pets export wrote as CSV', async () => {
  await using folder = await temporaryFolder();
  const { stdout } = await run(['export', '--output', 'pets.csv'], { cwd: folder.path });
  expect(stdout).toBe(`${COUNT} pets in pets.csv\n`);
  expect(readFileSync(folder.file('pets.csv'), 'utf8')).toMatch(/^id,name,categoryId,status.*\n1,/);
  expect([existsSync(folder.file('pets.csv.partial')), existsSync(folder.file('pets.csv.journal'))]).toEqual([
    false,
    false,
  ]);

  await using other = await startServer({}, { cwd: folder.path, log: 'silent' });
  const imported = await run(['import', 'pets.csv'], { cwd: folder.path, baseUrl: other.baseUrl });
  expect(imported.stdout).toBe(`${COUNT} added, 0 refused\n`);
  const store = createPetStore({ baseUrl: other.baseUrl, apiKey: FIXED_KEY });
  const withoutId = ({ id: _, ...pet }: Pet) => stringifyJson(pet);
  const copies = await Array.fromAsync(store.pets({ pageSize: 100 }), withoutId);
  expect(copies.toSorted()).toEqual(pets.map(withoutId).toSorted());
});

test('an export that is killed and interrupted is complete after the next run', async () => {
  await using folder = await temporaryFolder();
  await using proxy = await startProxy(server.origin);
  const start = () =>
    startPets(['export', '--output', 'pets.ndjson'], {
      cwd: folder.path,
      environment: { PETSTORE_BASE_URL: `${proxy.origin}/v1` },
    });
  /** Keeps the response after some bytes more from the command, so that it is in the middle. */
  const passThenHold = async (bytes: number) => {
    const before = proxy.passed.response;
    await expect.poll(() => proxy.passed.response - before, { interval: 1 }).toBeGreaterThan(bytes);
    await proxy.hold(1);
  };
  const partial = folder.file('pets.ndjson.partial');

  const interrupted = start();
  await passThenHold(10_000);
  interrupted.child.kill('SIGINT');
  const { code, stderr } = await interrupted.ended;
  expect(code).toBe(exitCodes.interrupted);
  expect(stderr).toMatch(
    /^pets: Interrupted\. \d+00 pets are in pets\.ndjson\.partial: run the same command again/,
  );
  expect(existsSync(folder.file('pets.ndjson'))).toBe(false);

  proxy.release();
  const killed = start();
  await passThenHold(10_000);
  killed.child.kill('SIGKILL');
  await killed.ended;
  // As after a kill in the middle of a write.
  writeFileSync(partial, `${readFileSync(partial, 'utf8')}{"id":`);

  proxy.release();
  const other = await run(['export', '--output', 'pets.ndjson', '--status', 'sold'], { cwd: folder.path });
  expect(other.code).toBe(exitCodes.notResumable);
  expect(await start().ended).toMatchObject({ code: 0, stdout: `${COUNT} pets in pets.ndjson\n` });
  expect(readFileSync(folder.file('pets.ndjson'), 'utf8')).toBe(ndjson(pets));
  expect((await start().ended).stderr).toMatch(/^pets: pets\.ndjson exists\./);
});

test('pets export shows control characters on a terminal, and leaves them to files as they are', async () => {
  const environment = { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: FIXED_KEY };
  // `script` gives the command a terminal.
  const shown = execFileSync(
    'script',
    ['-qec', `'${process.execPath}' '${PETS}' export --format csv`, '/dev/null'],
    {
      env: { PATH: process.env.PATH, ...environment },
      encoding: 'utf8',
    },
  );
  expect(shown).toContain('two\\nlines');
  expect(shown).toContain('red\\u001b[31m');
  expect(shown.replaceAll(/\r?\n/g, '')).not.toMatch(/\p{Cc}/u);
  expect((await run(['export', '--format', 'csv'])).stdout).toContain('red\u001b[31m');
});

test('pets export ends when the reader of its output closes it', async () => {
  await using folder = await temporaryFolder();
  await using other = await startServer({}, { cwd: folder.path, log: 'silent' });
  const store = createPetStore({ baseUrl: other.baseUrl, apiKey: FIXED_KEY });
  // A megabyte: what the kernel and Node keep for the reader would let the command end before it notices.
  const large = { name: 'x'.repeat(60_000), categoryId: 1 };
  await Promise.all(Array.from({ length: 20 }, () => store.createPet(large)));

  const { child } = startPets(['export'], { environment: { PETSTORE_BASE_URL: other.baseUrl } });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await once(child, 'exit')).toEqual([exitCodes.brokenPipe, null]);
});
