import { createServer } from 'node:http';
import { temporaryFolder } from '@petstore/test-support/files';
import { listen } from '@petstore/test-support/servers/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkResponses } from '../src/check-responses.ts';
import { OURS, PEERS } from '../src/peers.ts';
import { API_KEY, petWithId, readNumber, seedSqlite } from '../src/seed.ts';
import { startServer } from '../src/start-server.ts';

const COUNT = 200;
const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder[Symbol.asyncDispose]());

describe.each([OURS, ...PEERS])('$name', (peer) => {
  test('responds to the three operations as all other servers do', async () => {
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

    expect(readNumber(file, 'select count(*) from pets')).toBe(COUNT + 4);
    expect(await statusOf('/999999')).toBe(404);
    expect(await statusOf('?limit=101')).toBe(400);
    expect(await statusOf('?status=lost')).toBe(400);
    expect(await statusOf('', '{"categoryId":1}')).toBe(400);
    expect(await statusOf('', '{"name":"a","categoryId":1,"status":"lost"}')).toBe(400);
    expect(readNumber(file, 'select count(*) from pets')).toBe(COUNT + 4);
  });
});

test('the peers with our visible promises send the headers that our server sends', async () => {
  const peers = [OURS, ...PEERS.filter(({ id }) => id.endsWith('-promises'))];

  const sent = await Promise.all(
    peers.map(async (peer) => {
      const file = folder.file(`headers-${peer.id}.db`);
      await seedSqlite(file, COUNT);
      await using server = await startServer(peer, `sqlite:${file}`, `${file}.log`);
      const responses = await Promise.all([
        fetch(`${server.petsUrl}?limit=2`, { headers }),
        fetch(`${server.petsUrl}/1`, { headers }),
        fetch(server.petsUrl, { headers, method: 'POST', body: '{"name":"Rex","categoryId":1}' }),
      ]);
      await Promise.all(responses.map((response) => response.arrayBuffer()));
      return responses.map((response) => visibleHeaders(new Headers(response.headers)));
    }),
  );

  expect(sent).toHaveLength(3);
  // Express also adds an entity tag to the response of a creation.
  for (const headersOfPeer of sent) expect(headersOfPeer).toMatchObject(sent[0] ?? []);
});

/** The headers of a response. Values that differ in each response are masked or left out. */
function visibleHeaders(headers: Headers) {
  // The peers send constant deprecation headers. A new version of the contract may deprecate other operations.
  for (const name of ['connection', 'date', 'keep-alive', 'deprecation', 'sunset']) headers.delete(name);
  const { link, ...visible } = Object.fromEntries(headers);
  const mask = (value: string | undefined) => value?.replaceAll(/[\w-]/g, 'x');
  return {
    ...visible,
    'content-length': visible['content-length'] !== undefined,
    'content-type': visible['content-type']?.replace(/;.*/, ''),
    'x-request-id': mask(visible['x-request-id']),
    next: /<[^>]*>; rel="next"/.exec(link ?? '')?.[0],
    ...(visible.etag !== undefined && { etag: mask(visible.etag) }),
  };
}

test('the check before a measurement refuses a server with a wrong response', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify([petWithId(1), petWithId(4)]));
  });
  await using listening = await listen(server);

  await expect(checkResponses(`${listening.origin}/v1/pets`, COUNT)).rejects.toThrow();
});
