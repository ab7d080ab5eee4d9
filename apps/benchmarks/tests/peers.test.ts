import { createServer } from 'node:http';
import { countPets } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { listen } from '@petstore/test-support/servers/listen';
import { afterAll, expect, test } from 'vitest';
import { checkResponses } from '../src/check-responses.ts';
import { OURS, PEERS } from '../src/peers.ts';
import { API_KEY, petWithId, seedSqlite } from '../src/seed.ts';
import { startServer } from '../src/start-server.ts';

const COUNT = 200;
const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

test.each([OURS, ...PEERS])(
  '$name responds to the three operations as all other servers do',
  async (peer) => {
    const file = folder.file(`${peer.id}.db`);
    await seedSqlite(file, COUNT);
    await using server = await startServer(peer, `sqlite:${file}`, `${file}.log`);
    const statusOf = async (path: string, body?: string) => {
      const init = body === undefined ? { headers } : { headers, method: 'POST', body };
      const response = await fetch(server.petsUrl + path, init);
      await response.body?.cancel();
      return response.status;
    };

    await checkResponses(server.petsUrl, COUNT);

    expect(countPets(file)).toBe(COUNT + 4);
    expect(await statusOf('/999999')).toBe(404);
    expect(await statusOf('?limit=101')).toBe(400);
    expect(await statusOf('?status=lost')).toBe(400);
    expect(await statusOf('', '{"categoryId":1}')).toBe(400);
    expect(await statusOf('', '{"name":"a","categoryId":1,"status":"lost"}')).toBe(400);
    expect(countPets(file)).toBe(COUNT + 4);
  },
);

test('the check before a measurement refuses a server with a wrong response', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify([petWithId(1), petWithId(4)]));
  });
  await using listening = await listen(server);

  await expect(checkResponses(`${listening.origin}/v1/pets`, COUNT)).rejects.toThrow();
});
