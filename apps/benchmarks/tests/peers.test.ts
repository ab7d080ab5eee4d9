import { AssertionError } from 'node:assert';
import { countPets } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { runTool } from '@petstore/test-support/programs';
import { serveFetch } from '@petstore/test-support/servers/serve-fetch';
import { afterAll, expect, test } from 'vitest';
import { checkResponses } from '../src/check-responses.ts';
import { OURS, PEERS } from '../src/peers.ts';
import { STATUSES, seedSqlite } from '../src/seed.ts';
import { startServer } from '../src/start-server.ts';

const COUNT = 200;

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

test.each([OURS, ...PEERS])('$name passes the check that each measurement begins with', async (peer) => {
  const file = folder.file(`${peer.id}.db`);
  await seedSqlite(file, COUNT);
  await using server = await startServer(peer, `sqlite:${file}`, `${file}.log`);
  await checkResponses(server.petsUrl, COUNT);

  // The check adds a pet of each status, and one without.
  expect(countPets(file)).toBe(COUNT + STATUSES.length + 1);
});

test('the check before a measurement refuses a server that lists no pets', async () => {
  await using server = await serveFetch(async () => Response.json([]));

  await expect(checkResponses(`${server.baseUrl}/pets`, COUNT)).rejects.toThrow(AssertionError);
});

test('the output of a server that does not start is in the error', async () => {
  const peer = { id: 'broken', name: 'Broken', command: ['--eval', 'throw new Error("no port")'] };
  await expect(startServer(peer, 'unused', folder.file('log'))).rejects.toThrow('no port');
});

// Another user runs the programs where they are installed.
if (process.getuid?.() === 0)
  test('root runs PostgreSQL from a copy of its programs', async () => {
    const program = `import { startPostgres } from '@petstore/test-support/databases/postgres-server';
      await using server = await startPostgres();
      console.log(await server.query("select setting from pg_config where name = 'BINDIR'"));`;
    const args = ['--input-type=module', '--eval', program]; // Vitest would await each import before the next.
    expect(await runTool(process.execPath, args, { env: process.env, cwd: import.meta.dirname })).toMatch(
      /petstore-postgres-.*-root/,
    );
  });
