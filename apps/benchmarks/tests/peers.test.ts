import { createServer } from 'node:http';
import { temporaryFolder } from '@petstore/test-support/files';
import { listen } from '@petstore/test-support/servers/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkResponses } from '../src/check-responses.ts';
import { petWithId } from '../src/data/pets.ts';
import { countPets, seedSqlite } from '../src/data/seed.ts';
import { OURS, PEERS } from '../src/peers.ts';
import { startServer } from '../src/start-server.ts';

const COUNT = 200;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder[Symbol.asyncDispose]());

describe.each([OURS, ...PEERS])('$name', (peer) => {
  test('implements the three operations as the others do', async () => {
    const file = folder.file(`${peer.id}.db`);
    const apiKey = seedSqlite(file, COUNT);
    await using server = await startServer(peer, file);
    await checkResponses(server.petsUrl, apiKey, COUNT);
    expect(countPets(file)).toBe(COUNT + 4);

    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const statusOf = async (path: string, body?: string) => {
      const init = body === undefined ? { headers } : { headers, method: 'POST', body };
      const response = await fetch(server.petsUrl + path, init);
      await response.body?.cancel();
      return response.status;
    };
    expect(await statusOf('/999999')).toBe(404);
    expect(await statusOf('?limit=101')).toBe(400);
    expect(await statusOf('?status=lost')).toBe(400);
    expect(await statusOf('', '{"categoryId":1}')).toBe(400);
    expect(await statusOf('', '{"name":"a","categoryId":1,"status":"lost"}')).toBe(400);
    expect(countPets(file)).toBe(COUNT + 4);
  });
});

test('the Fastify with our visible promises sends the headers that our server sends', async () => {
  const peers = [OURS, ...PEERS.filter(({ id }) => id === 'fastify-promises')];
  const headers = await Promise.all(
    peers.map(async (peer) => {
      const file = folder.file(`headers-${peer.id}.db`);
      const authorization = `Bearer ${seedSqlite(file, COUNT)}`;
      await using server = await startServer(peer, file);
      const post = { method: 'POST', body: '{"name":"Rex","categoryId":1}' };
      const requests = [
        fetch(`${server.petsUrl}?limit=2`, { headers: { authorization } }),
        fetch(`${server.petsUrl}/1`, { headers: { authorization } }),
        fetch(server.petsUrl, { headers: { authorization, 'Content-Type': 'application/json' }, ...post }),
      ];
      const responses = await Promise.all(requests);
      await Promise.all(responses.map((response) => response.arrayBuffer()));
      return responses.map((response) => visibleHeaders(response.headers));
    }),
  );
  expect(headers).toHaveLength(2);
  expect(headers[1]).toEqual(headers[0]);
});

/** The headers of a response, those that are different each time without their values. */
function visibleHeaders(headers: Headers) {
  const { connection, date, 'keep-alive': keepAlive, ...visible } = Object.fromEntries(headers);
  const mask = (value: string | undefined) => value?.replaceAll(/[\w-]/g, 'x');
  return {
    ...visible,
    'content-type': visible['content-type']?.replace(/;.*/, ''),
    'x-request-id': mask(visible['x-request-id']),
    etag: mask(visible.etag),
  };
}

test('a server with a wrong response is not measured', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify([petWithId(1), petWithId(4)]));
  });
  await using listening = await listen(server);

  await expect(checkResponses(`${listening.origin}/v1/pets`, 'key', COUNT)).rejects.toThrow();
});
