import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createPetStore, type NewPet } from '@petstore/client';
import { type Pet, stringifyJson } from '@petstore/contract';
import { temporaryFolder } from '@petstore/test-support/files';
import { startProxy } from '@petstore/test-support/proxies/proxy';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../src/exit-code.ts';
import { PETS, runPets, startPets } from './run-pets.ts';

const COUNT = 500;

let server: ServerProcess;
let pets: Pet[];
const cleanup = new AsyncDisposableStack();

beforeAll(async () => {
  server = cleanup.use(await startServer({}, { log: 'silent' }));
  const store = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
  const names = ['Ñandú 🦤', 'a "b", c', 'two\nlines', '', ' spaces ', 'red\u001b[31m', '=1+2'];
  const newPets = Array.from(
    { length: COUNT },
    (_, index): NewPet => ({
      name: names[index] ?? `pet ${index}`,
      categoryId: 2n ** 63n - 1n - BigInt(index),
      ...(index % 2 === 0 && { status: 'sold' }),
    }),
  );
  await Promise.all(newPets.map((pet) => store.createPet(pet)));
  pets = await Array.fromAsync(store.pets({ pageSize: 100 }));
});

afterAll(() => cleanup.disposeAsync());

const run = (args: string[]) => runPets(args, { environment: { PETSTORE_BASE_URL: server.baseUrl } });

const ndjson = (list: readonly Pet[]) => list.map((pet) => `${stringifyJson(pet)}\n`).join('');

test('pets export writes every pet as a line of JSON, with exact integers', async () => {
  const { stdout, stderr, code } = await run(['export']);
  expect(stdout).toBe(ndjson(pets));
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const sold = await run(['export', '--status', 'sold']);
  expect(sold.stdout).toBe(ndjson(pets.filter(({ status }) => status === 'sold')));
});

test('an export that is killed leaves the file as it was, and the next run replaces it', async () => {
  await using folder = await temporaryFolder();
  await using proxy = await startProxy(server.origin);
  const file = folder.file('pets.ndjson');
  writeFileSync(file, 'of yesterday');
  const start = () =>
    startPets(['export', '--output', file], { environment: { PETSTORE_BASE_URL: `${proxy.origin}/v1` } });

  // The export is killed while it waits for a response in the middle of the pages.
  const killed = start();
  await expect.poll(() => proxy.passed.response, { interval: 1 }).toBeGreaterThan(10_000);
  await proxy.hold(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  proxy.release();
  expect(readFileSync(file, 'utf8')).toBe('of yesterday');

  expect(await start().ended).toMatchObject({ code: 0, stdout: `${COUNT} pets in ${file}\n` });
  expect(readFileSync(file, 'utf8')).toBe(ndjson(pets));
  expect(readdirSync(folder.path)).toEqual(['pets.ndjson']);
});

test('pets export escapes control characters of CSV on a terminal, but not in other output', async () => {
  const env = { PATH: process.env.PATH, PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: FIXED_KEY };
  const command = `'${process.execPath}' '${PETS}' export --format csv`;
  // `script` gives the command a terminal.
  const shown = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
  expect(shown).toContain('red\\u001b[31m');
  expect(shown.replaceAll(/\r?\n/g, '')).not.toMatch(/\p{Cc}/u);
  expect((await run(['export', '--format', 'csv'])).stdout).toContain('red\u001b[31m');
});

test('pets export --spreadsheet writes a byte order mark, and no name that a spreadsheet runs', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pets.csv');
  await run(['export', '--spreadsheet', '--output', file]);
  const written = readFileSync(file, 'utf8');
  expect(written).toMatch(/^\ufeffid,name,categoryId/);
  expect(written).toMatch(/^7,'=1\+2,9223372036854775801,sold/m);
  expect((await run(['export', '--format', 'csv'])).stdout).toMatch(/^7,=1\+2,/m);
});

test('pets export ends silently when the reader of its output closes it', async () => {
  await using other = await startServer({}, { log: 'silent' });
  const store = createPetStore({ baseUrl: other.baseUrl, apiKey: FIXED_KEY });
  // A megabyte: buffers would hold a smaller output, and the command would end before it notices the closed pipe.
  const large = { name: 'x'.repeat(60_000), categoryId: 1 };
  await Promise.all(Array.from({ length: 20 }, () => store.createPet(large)));

  const { child } = startPets(['export'], { environment: { PETSTORE_BASE_URL: other.baseUrl } });
  const stderr = text(child.stderr);
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await once(child, 'exit')).toEqual([exitCodes.success, null]);
  expect(await stderr).toBe('');
});
