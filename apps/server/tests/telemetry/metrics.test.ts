import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { type Engine, engines } from '@petstore/test-support/databases/databases';
import { bearer, openSocket, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { startServer } from '@petstore/test-support/servers/server-process';
import { register } from '@prometheus-io/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { occupyConnection, type RunningApp, startApp } from '#support/app';
import { lockSqlite } from '#support/database';
import { MAX_ROWS } from '../../src/database/batcher.ts';
import { limits } from '../../src/http/limits.ts';
import { openAdminListener } from '../../src/service/admin-listener.ts';
import { ServiceMetrics } from '../../src/service/metrics.ts';
import { measureEventLoopDelay } from '../../src/telemetry/process-metrics.ts';
import { DURATION_BUCKETS } from '../../src/telemetry/read-metrics.ts';

beforeEach(() => register.clear());

async function startMeasuredApp(environment: Record<string, string> = {}, engine: Engine = 'sqlite') {
  const metrics = new ServiceMetrics();
  const app = await startApp(environment, { engine, observer: metrics });
  metrics.watch(app.service, { droppedCount: 3 });
  return { ...app, scrape: () => register.metrics() };
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

/** Sends a request, and returns the status of its response. */
const send = async ({ origin, apiKey }: RunningApp, path: string, init?: RequestInit) =>
  (await fetchWithKey(origin, apiKey)(path, init)).status;

test('the metrics count cache hits, cache misses, errors, public routes and malformed requests', async () => {
  await using app = await startMeasuredApp();
  const start = performance.now();
  await send(app, '/v1/pets', creation());
  for (let time = 0; time < 4; time += 1) await send(app, '/v1/pets/1');
  for (let time = 0; time < 3; time += 1) await send(app, '/v1/pets');
  for (const path of ['/v1/pets/2', '/v1/pets?limit=1000', '/livez']) await send(app, path);
  await send(app, '/v1/pets', { headers: { authorization: '' } });
  await sendRaw(app.origin, 'nonsense\r\n\r\n');

  // The server counts a request after its response has left. The caller may read the response earlier.
  const malformed = requestLabels('_OTHER', 'unmatched', 400);
  await expect.poll(async () => sum(await app.scrape(), REQUESTS, malformed)).toBe(1);
  // A second scrape has the same counts as the first.
  await app.scrape();
  const text = await app.scrape();
  for (const [expected, metric, labels] of [
    [1, REQUESTS, requestLabels('POST', '/v1/pets', 201)],
    [4, REQUESTS, requestLabels('GET', '/v1/pets/:petId', 200)],
    [1, REQUESTS, requestLabels('GET', '/v1/pets/:petId', 404)],
    [1, REQUESTS, requestLabels('GET', '/v1/pets', 401)],
    [1, REQUESTS, requestLabels('GET', '/livez', 200)],
    [1, 'petstore_build_info', { node_version: process.versions.node }],
    [1, 'petstore_cache_hits_total', {}], // The second request for a list keeps it, so only the third is a hit.
    [2, 'petstore_cache_misses_total', {}],
    [1, 'petstore_create_batch_size_count', {}],
    [1, 'petstore_create_commit_duration_seconds_count', {}],
    [1, 'petstore_error_responses_total', { code: 'pet_not_found' }],
    [1, 'petstore_error_responses_total', { code: 'malformed_request' }],
    [8, 'petstore_key_requests_total', { key: 'test', status: '2xx' }], // A creation, four pets and three lists.
    [2, 'petstore_key_requests_total', { key: 'test', status: '4xx' }], // An unknown pet and a limit above 100.
    [10, 'petstore_key_requests_total', {}],
    [3, 'petstore_log_lines_dropped_total', {}],
    // As docs/configure.md says.
    [32 * 2 ** 20, 'petstore_outstanding_bytes_limit', {}],
    [1, 'petstore_ready', {}],
  ] as const)
    expect({ metric, labels, sum: sum(text, metric, labels) }).toEqual({ metric, labels, sum: expected });
  // The requests came one after another, so all together took less time than this test.
  for (const name of ['http_server_request', 'petstore_create_commit']) {
    const value = sum(text, `${name}_duration_seconds_sum`);
    expect(value, name).toBeGreaterThan(0);
    expect(value, name).toBeLessThan((performance.now() - start) / 1000);
  }
});

test('the metrics of the disk are in bytes, follow a symbolic link, and are absent without the file', async () => {
  await using app = await startMeasuredApp();
  const text = await app.scrape();
  const free = sum(text, 'petstore_database_disk_free_bytes');
  expect(free).toBeGreaterThan(2 ** 20);
  expect(sum(text, 'petstore_database_disk_size_bytes')).toBeGreaterThan(free);
  const scrapeWith = (file: string) => {
    register.clear();
    const config = { ...app.service.config, DATABASE_URL: { engine: 'sqlite' as const, file } };
    new ServiceMetrics().watch({ ...app.service, config }, { droppedCount: 0 });
    return register.metrics();
  };
  // This link leads from a file system without blocks to the program of Node.js.
  expect(sum(await scrapeWith('/proc/self/exe'), 'petstore_database_disk_size_bytes')).toBeGreaterThan(0);
  expect(await scrapeWith('/none')).not.toMatch(/^petstore_database_disk/m);
});

test('durations, processor time and the time of the start are in seconds, buckets ascend, the largest batch has one, and 499 is 4xx', async () => {
  expect(DURATION_BUCKETS).toEqual(DURATION_BUCKETS.toSorted((one, other) => one - other));
  const metrics = new ServiceMetrics();
  metrics.onBatch(MAX_ROWS, 2_000);
  const request = { method: 'GET', route: '/v1/pets', status: 499, durationMs: 2_000 };
  metrics.onRequestEnd({ ...request, key: 'shop', code: undefined, isDeprecated: false });
  const text = await register.metrics();
  for (const name of ['http_server_request', 'petstore_create_commit'])
    expect(sum(text, `${name}_duration_seconds_sum`), name).toBe(2);
  expect(sum(text, 'petstore_create_batch_size_bucket', { le: '512' })).toBe(1);
  expect(sum(text, 'petstore_key_requests_total', { status: '4xx' })).toBe(1);
  expect(sum(text, 'process_start_time_seconds')).toBeCloseTo(performance.timeOrigin / 1000);
  const { user, system } = process.cpuUsage();
  const seconds = (user + system) / 1e6;
  expect(sum(text, 'process_cpu_seconds_total')).toBeGreaterThan(seconds / 2);
  expect(sum(text, 'process_cpu_seconds_total')).toBeLessThanOrEqual(seconds);
});

test('the metrics count requests to deprecated operations in a bounded number of series, and the log names their clients', async () => {
  await using app = await startMeasuredApp();
  const get = (path: string, headers = {}) => send(app, path, { headers });
  await get('/v1/nothing', { 'x-client': 'petstore-client/9.9.9' });
  await get('/v1/pets/1', { authorization: 'Bearer nonsense' });
  const clients = ['petstore-client/1.0.0', 'my_app/2.3.4-beta.1+build'];
  const others = ['', 'curl', 'a b/1', 'a/1/2', `${'a'.repeat(41)}/1`, 'a"/1', 'ä/1', 'a/1, b/2'];
  const sent = [...clients, ...others];
  for (const client of sent) await get('/v1/pets/1', { 'x-client': client });
  const countDeprecated = async () =>
    sum(await app.scrape(), 'petstore_deprecated_requests_total', { key: 'test' });
  await expect.poll(countDeprecated).toBe(sent.length);
  expect(app.logLines().flatMap(({ client = [] }) => client)).toEqual(clients);

  const standard = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];
  const attack = async (round: number) => {
    for (const method of [...standard, 'PROPFIND', 'LINK', `X${round}`]) {
      const headers = [bearer(`guess-${round}`), 'Connection: close'];
      await sendRaw(app.origin, requestHead(`${method} /v1/pets${round}?a=${round}`, ...headers));
    }
    await get(`/v1/pets/${round}`, { 'x-client': `made-up-program/${round}` });
  };
  // Not by `sendRaw`, which reads the body that Content-Length promises.
  await send(app, '/livez', { method: 'HEAD' });
  const countSeries = async () => (await app.scrape()).split('\n').length;
  await attack(0);
  // One request of each attack has a valid key.
  await expect.poll(countDeprecated).toBe(sent.length + 1);
  const before = await countSeries();
  for (let round = 1; round <= 5; round += 1) await attack(round);
  await expect.poll(countDeprecated).toBe(sent.length + 6);
  expect(await countSeries()).toBe(before);
  const text = await app.scrape();
  expect(text).not.toMatch(/guess|made-up|pets\d/);
  const methods = Array.from(text.matchAll(/http_request_method="(\w+)"/g), ([, method]) => method);
  expect(new Set(methods)).toEqual(new Set(['HEAD', ...standard, '_OTHER']));
});

test('the metrics count creations that are shed and creations that wait', async () => {
  await using app = await startMeasuredApp({ MAX_PENDING_CREATIONS: '1' });
  const unlock = lockSqlite(app.url);
  const first = send(app, '/v1/pets', creation());
  await expect.poll(async () => sum(await app.scrape(), 'petstore_connections_active')).toBe(1);
  const others = Array.from({ length: 5 }, () => send(app, '/v1/pets', creation()));
  const shed = async () => sum(await app.scrape(), 'petstore_error_responses_total', { code: 'overloaded' });
  await expect.poll(shed).toBe(4);
  for (const name of ['length', 'limit'])
    expect(sum(await app.scrape(), `petstore_create_queue_${name}`)).toBe(1);

  unlock();

  expect((await Promise.all([first, ...others])).sort()).toEqual([201, 201, 503, 503, 503, 503]);
});

test.runIf(engines.includes('postgres'))('over PostgreSQL the metrics count connections', async () => {
  await using app = await startMeasuredApp({ DATABASE_POOL_SIZE: '1' }, 'postgres');
  const connections = async () => {
    const text = await app.scrape();
    return ['used', 'idle', 'limit'].map((kind) => sum(text, `petstore_database_connections_${kind}`));
  };
  await expect.poll(connections).toEqual([0, 1, 1]);
  const release = occupyConnection(app);
  await expect.poll(connections).toEqual([1, 0, 1]);
  await release();
});

test('a timer that fires late does not make later timers count as late', async () => {
  measureEventLoopDelay();
  const end = performance.now() + 1_000;
  while (performance.now() < end);
  const count = async (le: string) =>
    sum(await register.metrics(), 'petstore_event_loop_delay_seconds_bucket', { le });
  // The first timer is late by a second, so it is not in this bucket.
  await expect.poll(() => count('0.5')).toBeGreaterThan(0);
  const seconds = sum(await register.metrics(), 'petstore_event_loop_delay_seconds_sum');
  expect(seconds).toSatisfy((sum) => sum > 0.5 && sum < 100, 'seconds, not milliseconds');
});

test('few file descriptors lower MAX_CONNECTIONS, to 1 at least, and the gauges show that most of them are in use', async () => {
  const limited = ['-c', 'ulimit -n 120 && exec "$0" "$@"'];
  await using server = await startServer({ ADMIN_PORT: '0' }, { shell: limited });
  const [, admin = ''] = /"admin":"([^"]+)"/.exec(server.output()) ?? [];
  const open = (count: number, origin: string) =>
    Promise.all(Array.from({ length: count }, () => openSocket(origin)));
  // The scrape below needs one connection of the admin listener. With 120 descriptors, the server keeps 30 others open.
  const sockets = [...(await open(limits.adminConnections - 1, admin)), ...(await open(90, server.origin))];
  const countOpen = () => sockets.filter(({ readable }) => readable).length;
  await expect.poll(countOpen).toBe(limits.adminConnections - 1 + 30);

  const share = async () => {
    const text = await (await fetch(`${admin}/metrics`)).text();
    return sum(text, 'process_open_fds') / sum(text, 'process_max_fds');
  };
  await expect.poll(share).toBeGreaterThan(0.5);
  expect(server.output()).toContain('"maxConnections":30,"descriptors":120');
  expect((await server.request('/pets')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await using least = await startServer({ DATABASE_POOL_SIZE: '1000' }, { shell: limited });
  expect((await fetch(`${least.origin}/livez`)).status).toBe(200);
});

test('when all file descriptors are in use, the gauge of open ones has their limit', async () => {
  // A process needs one more descriptor to count its open ones.
  vi.spyOn(fs, 'readdir').mockRejectedValueOnce(new Error('EMFILE'));
  syncBuiltinESMExports();
  new ServiceMetrics();
  const text = await register.metrics();
  expect(sum(text, 'process_open_fds')).toBe(sum(text, 'process_max_fds'));
});

describe('the admin listener', () => {
  const address = { host: '127.0.0.1', port: 0 };
  let isReady = true;

  test('has the probes and GET /metrics, but no operations, and an address that it cannot use is reported as ADMIN_HOST', async () => {
    await using admin = await openAdminListener(address, async () => isReady);
    const statusOf = async (path: string, method = 'GET') =>
      (await fetch(admin.origin + path, { method })).status;
    const statuses = () =>
      Promise.all(['/livez', '/readyz', '/metrics', '/v1/pets'].map((path) => statusOf(path)));
    expect(await statuses()).toEqual([200, 200, 200, 404]);
    expect([await statusOf('/metrics', 'POST'), await statusOf('/v1/pets', 'HEAD')]).toEqual([405, 404]);
    isReady = false;
    expect(await statuses()).toEqual([200, 503, 200, 404]);
    const elsewhere = openAdminListener({ ...address, host: 'no host' }, async () => isReady);
    await expect(elsewhere).rejects.toThrow(/^ADMIN_HOST: cannot listen on no host/);
  });

  test('closes connections beyond its maximum, and all of them at its end', async () => {
    const admin = await openAdminListener(address, async () => isReady);
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(admin.origin)));
    await expect.poll(() => sockets.filter(({ readable }) => readable).length).toBe(limits.adminConnections);
    const start = performance.now();
    await admin[Symbol.asyncDispose]();
    // Node itself closes connections without a request after a minute.
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
