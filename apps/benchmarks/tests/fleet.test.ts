import { createServer } from 'node:http';
import { temporaryFolder } from '@petstore/test-support/files';
import { listen } from '@petstore/test-support/servers/listen';
import { expect, test } from 'vitest';
import { seedSqlite } from '../src/data/seed.ts';
import { createAtFleet } from '../src/load/fleet.ts';
import { OURS } from '../src/peers.ts';
import { startServer } from '../src/start-server.ts';

const CALLERS = 2;
const LOAD = { apiKey: 'key', callers: CALLERS, newestId: 0, warmUpMs: 0, seconds: 0.1 };

test('the callers of a fleet create pets, and its reader sees each of them', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pets.db');
  const apiKey = seedSqlite(file, 0);
  await using server = await startServer(OURS, file);

  const { created, refused } = await createAtFleet([server], { ...LOAD, apiKey });

  expect(created).toBeGreaterThanOrEqual(CALLERS);
  expect(refused).toBe(0);
});

test('a fleet whose pages lack a pet is not measured', async () => {
  let id = 0;
  const server = createServer((request, response) => {
    const isCreation = request.method === 'POST';
    id += isCreation ? 1 : 0;
    response.writeHead(isCreation ? 201 : 200).end(isCreation ? `{"id":${id}}` : '[]');
  });
  await using listening = await listen(server);
  const target = { petsUrl: `${listening.origin}/v1/pets`, port: Number(new URL(listening.origin).port) };

  await expect(createAtFleet([target], LOAD)).rejects.toThrow(/the reader skipped \d+/);
});
