import { temporaryFolder } from '@petstore/test-support/files';
import { FIXED_KEY, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import { openSocket, sendRaw } from '@petstore/test-support/sockets/raw-http';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';

const headers = { authorization: `Bearer ${FIXED_KEY}` };

/** The origin of the admin listener, which the log names. */
async function adminOf(server: ServerProcess): Promise<string> {
  const find = () => /"admin":"([^"]+)"/.exec(server.output())?.[1];
  await expect.poll(find).toBeTruthy();
  return find() ?? '';
}

async function scrape(server: ServerProcess): Promise<string> {
  const response = await fetch(`${await adminOf(server)}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
}

/** Adds up the values of a metric whose labels contain the given ones. */
function sum(text: string, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((label) => line.includes(label)))
    .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
}

const REQUESTS = 'http_server_request_duration_seconds_count';

const requestLabels = (method: string, route: string, status: number) => ({
  http_request_method: method,
  http_route: route,
  http_response_status_code: `${status}`,
});

/** Sends a request and ignores its response. */
async function send(url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, { headers, ...init });
  await response.arrayBuffer();
  return response.status;
}

const addPet = (baseUrl: string) =>
  send(`${baseUrl}/pets`, {
    method: 'POST',
    body: '{"name":"a","categoryId":1}',
    headers: { ...headers, 'content-type': 'application/json' },
  });

describe('/metrics', () => {
  test('counts cache hits, cache misses, errors, public routes and malformed requests', async () => {
    await using server = await startServer({ ADMIN_PORT: '0' });
    const { baseUrl, origin } = server;

    await addPet(baseUrl);
    for (let time = 0; time < 4; time += 1) await send(`${baseUrl}/pets/1`);
    for (let time = 0; time < 3; time += 1) await send(`${baseUrl}/pets`);
    await send(`${baseUrl}/pets/2`);
    await send(`${baseUrl}/pets?limit=1000`);
    await send(`${baseUrl}/pets`, { headers: {} });
    await send(`${origin}/livez`);
    await sendRaw(origin, 'nonsense\r\n\r\n');

    // The server counts a request after its response has left. The caller may read the response earlier.
    const malformed = requestLabels('_OTHER', 'unmatched', 400);
    await expect.poll(async () => sum(await scrape(server), REQUESTS, malformed)).toBe(1);
    const text = await scrape(server);
    const deprecated = { http_route: '/v1/pets/:petId', key: 'env-1', client: 'unknown' };
    for (const [expected, metric, labels] of [
      [1, REQUESTS, requestLabels('POST', '/v1/pets', 201)],
      [4, REQUESTS, requestLabels('GET', '/v1/pets/:petId', 200)],
      [1, REQUESTS, requestLabels('GET', '/v1/pets/:petId', 404)],
      [1, REQUESTS, requestLabels('GET', '/v1/pets', 400)],
      [1, REQUESTS, requestLabels('GET', '/v1/pets', 401)],
      [1, REQUESTS, requestLabels('GET', '/livez', 200)],
      [1, 'petstore_cache_hits_total', {}],
      [2, 'petstore_cache_misses_total', {}],
      [1, 'petstore_create_batch_size_count', {}],
      [1, 'petstore_create_commit_duration_seconds_count', {}],
      [1, 'petstore_error_responses_total', { code: 'pet_not_found' }],
      [1, 'petstore_error_responses_total', { code: 'malformed_request' }],
      [5, 'petstore_deprecated_requests_total', deprecated],
      [8, 'petstore_key_requests_total', { key: 'env-1', status: '2xx' }],
      [2, 'petstore_key_requests_total', { key: 'env-1', status: '4xx' }],
      [10, 'petstore_key_requests_total', {}],
    ] as const) {
      expect({ metric, labels, sum: sum(text, metric, labels) }).toEqual({ metric, labels, sum: expected });
    }
  });

  test('counts requests to deprecated operations by the program of the caller', async () => {
    await using server = await startServer({ ADMIN_PORT: '0' });
    const { baseUrl } = server;
    const get = (path: string, client: string, others = {}) =>
      send(`${baseUrl}${path}`, { headers: { ...headers, 'x-client': client, ...others } });
    await get('/pets/1', 'petstore-client/1.0.0');
    await get('/pets/1', 'petstore-client/1.0.0');
    await get('/pets/1', 'my_app/2.3.4-beta.1+build');
    await get('/nothing', 'petstore-client/9.9.9');
    await get('/pets/1', 'no-key/1.0.0', { authorization: 'Bearer nonsense' });
    for (const client of ['', 'curl', 'a b/1', 'a/1/2', `${'a'.repeat(41)}/1`, 'a"/1', 'ä/1', 'a/1, b/2'])
      await get('/pets/1', client);

    const countOf = async (client: string) =>
      sum(await scrape(server), 'petstore_deprecated_requests_total', { client });
    await expect.poll(() => countOf('unknown')).toBe(8);
    expect(await countOf('petstore-client/1.0.0')).toBe(2);
    expect(await countOf('my_app/2.3.4-beta.1+build')).toBe(1);
    expect(await scrape(server)).not.toMatch(/9\.9\.9|no-key|curl/);
  });

  test('has a bounded number of series, whatever hostile callers send', async () => {
    await using server = await startServer({ ADMIN_PORT: '0' });
    const { baseUrl, origin } = server;
    const attack = async (round: number) => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PROPFIND', 'LINK', `X${round}`]) {
        const key = round % 2 === 0 ? FIXED_KEY : `guess-${round}`;
        const head = `Host: a${round}\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: r${round}\r\nConnection: close\r\n`;
        await sendRaw(origin, `${method} /v1/pets${round}?a=${round} HTTP/1.1\r\n${head}\r\n`);
      }
      const client = { 'x-client': `made-up-program/${round}` };
      await send(`${baseUrl}/pets/${round}`, { headers: { ...headers, ...client } });
    };
    const countSeries = async () => (await scrape(server)).split('\n').length;
    // Each key has series for ten programs, and one series for all further programs.
    for (let round = 0; round < 12; round += 1) await attack(round);
    await expect.poll(async () => sum(await scrape(server), REQUESTS)).toBe(12 * 7);
    const before = await countSeries();
    for (let round = 12; round < 60; round += 1) await attack(round);
    await expect.poll(async () => sum(await scrape(server), REQUESTS)).toBe(60 * 7);
    expect(await countSeries()).toBe(before);
    const text = await scrape(server);
    expect(text).not.toMatch(/PROPFIND|LINK|guess|pets\d/);
    expect(sum(text, 'petstore_deprecated_requests_total', { client: 'other' })).toBe(50);
  });

  test('counts creations that are shed and creations that wait', async () => {
    await using folder = await temporaryFolder();
    const environment = { ADMIN_PORT: '0', MAX_PENDING_CREATIONS: '1' };
    await using server = await startServer(environment, { cwd: folder.path });
    const lock = new BetterSqlite3(folder.file('data/petstore.db'));
    lock.exec('begin immediate');
    const first = addPet(server.baseUrl);
    const waiting = async () => sum(await scrape(server), 'petstore_connections_active');
    await expect.poll(waiting).toBe(1);
    const others = Array.from({ length: 5 }, () => addPet(server.baseUrl));
    const shed = async () =>
      sum(await scrape(server), 'petstore_error_responses_total', { code: 'overloaded' });
    await expect.poll(shed).toBe(4);
    expect(sum(await scrape(server), 'petstore_create_queue_length')).toBe(1);

    lock.exec('rollback');
    lock.close();

    expect((await Promise.all([first, ...others])).sort()).toEqual([201, 201, 503, 503, 503, 503]);
  });
});

test('few file descriptors lower MAX_CONNECTIONS, and the gauges show that most of them are in use', async () => {
  const limited = ['-c', 'ulimit -n 80 && exec "$0" "$@"'];
  await using server = await startServer({ ADMIN_PORT: '0' }, { shell: limited });
  const sockets = await Promise.all(Array.from({ length: 44 }, () => openSocket(server.origin)));

  const share = async () => {
    const text = await scrape(server);
    return sum(text, 'process_open_fds') / sum(text, 'process_max_fds');
  };
  await expect.poll(share).toBeGreaterThan(0.8);
  expect(server.output()).toContain('"maxConnections":40,"descriptors":80');
  expect(await send(`${server.baseUrl}/pets`)).toBe(200);
  for (const socket of sockets) socket.destroy();
});

describe('the admin listener', () => {
  test('has the probes, which say when the service stops, and GET /metrics, but no operations', async () => {
    const environment = { ADMIN_PORT: '0', SHUTDOWN_GRACE_MS: '60000' };
    await using server = await startServer(environment);
    const admin = await adminOf(server);
    const statusOf = async (path: string, method = 'GET') => (await fetch(admin + path, { method })).status;

    expect(await statusOf('/livez')).toBe(200);
    expect(await statusOf('/readyz')).toBe(200);
    expect(await statusOf('/v1/pets')).toBe(404);
    expect(await statusOf('/metrics', 'POST')).toBe(405);
    server.child.kill('SIGTERM');
    await expect.poll(() => statusOf('/readyz')).toBe(503);
    expect(await statusOf('/livez')).toBe(200);
    expect(sum(await scrape(server), 'petstore_ready')).toBe(0);
  });

  test('closes connections beyond its limit, and the service still responds', async () => {
    await using server = await startServer({ ADMIN_PORT: '0' });
    const admin = await adminOf(server);
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(admin)));
    await expect.poll(() => sockets.filter(({ readable }) => readable).length).toBeLessThanOrEqual(32);
    expect(await send(`${server.baseUrl}/pets`)).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
