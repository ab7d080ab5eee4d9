import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAnswers } from '../src/check.ts';
import { animal } from '../src/data/animals.ts';
import { countAnimals, seedSqlite } from '../src/data/seed.ts';
import { PEERS } from '../src/peers.ts';
import { freePort, startServer } from '../src/process.ts';

const COUNT = 200;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-benchmarks-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(PEERS)('$name', (peer) => {
  test('answers the three operations as the others do', async () => {
    const file = join(folder, `${PEERS.indexOf(peer)}.db`);
    const apiKey = seedSqlite(file, COUNT);
    await using server = await startServer(peer, file);
    await checkAnswers(server.pets, apiKey, COUNT);
    expect(countAnimals(file)).toBe(COUNT + 4);

    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const statusOf = async (path: string, body?: string) => {
      const init = body === undefined ? { headers } : { headers, method: 'POST', body };
      const response = await fetch(server.pets + path, init);
      await response.body?.cancel();
      return response.status;
    };
    expect(await statusOf('/999999')).toBe(404);
    expect(await statusOf('?limit=101')).toBe(400);
    expect(await statusOf('?status=lost')).toBe(400);
    expect(await statusOf('', '{"categoryId":1}')).toBe(400);
    expect(await statusOf('', '{"name":"a","categoryId":1,"status":"lost"}')).toBe(400);
    expect(countAnimals(file)).toBe(COUNT + 4);
  });
});

test('a server that gives another animal than it should is not counted', async () => {
  const port = await freePort();
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify([animal(1), animal(4)]));
  }).listen(port, '127.0.0.1');
  try {
    await expect(checkAnswers(`http://127.0.0.1:${port}/v1/pets`, 'key', COUNT)).rejects.toThrow();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
