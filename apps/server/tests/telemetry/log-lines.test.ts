import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pet } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test, vi } from 'vitest';
import { logSchema, type RunningApp, startApp, useApp } from '#support/app';
import { lockSqlite, runSql } from '#support/database';
import { toIpv4 } from '../../src/http/log-request.ts';
import { databaseTimeOf } from '../../src/http/request-context.ts';
import { version } from '../../src/process/version.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

/** Sends a request with the key of the app, and returns its line in the access log. */
async function lineOf(app: RunningApp, path: string, { headers = {}, method = 'GET' } = {}) {
  // The id has each kind of character that the service accepts.
  const requestId = `a.B_${randomUUID()}`;
  const init = { method, headers: { 'x-request-id': requestId, ...headers } };
  await fetchWithKey(app.origin, app.apiKey)(path, init);
  // Lines about an error have no method.
  const find = () => app.logLines().find((line) => line.requestId === requestId && 'method' in line);
  await expect.poll(find).toBeTruthy();
  return find();
}

const app = await useApp();

describe('the line of a request', () => {
  test('has its id, method, route, status, duration and the name of the key', async () => {
    expect(await lineOf(app, '/v1/pets/1?secret=hidden')).toEqual({
      level: 30,
      time: expect.any(Number),
      requestId: expect.any(String),
      method: 'GET',
      route: '/v1/pets/:petId',
      path: '/v1/pets/1',
      status: 404,
      code: 'pet_not_found',
      durationMs: expect.any(Number),
      databaseMs: expect.any(Number),
      key: 'test',
      caller: '127.0.0.1',
    });
  });

  test('has the path without its query, and the caller of a direct request, only with 401, 404 or 405', async () => {
    const long = `/${'x'.repeat(1_000)}`;
    const caller = '127.0.0.1';

    expect(await lineOf(app, long)).toMatchObject({ status: 404, path: long.slice(0, 256), caller });
    const refused = await lineOf(app, '/v1/pets', { method: 'DELETE' });
    expect(refused).toMatchObject({ status: 405, path: '/v1/pets', caller });
    const anonymous = await lineOf(app, '/v1/pets?token=secret', { headers: { authorization: '' } });
    expect(anonymous).toMatchObject({ status: 401, code: 'missing_api_key', path: '/v1/pets', caller });
    expect(anonymous).not.toHaveProperty('databaseMs');
    for (const path of ['/v1/pets', '/v1/pets?limit=wrong']) {
      const line = await lineOf(app, path);
      expect([200, 400]).toContain(line?.status);
      expect([line?.path, line?.caller]).toEqual([undefined, undefined]);
    }
    expect(JSON.stringify(app.logLines())).not.toContain('secret');
  });

  test('has no API key, wherever its caller wrote one, and neither has the body of a response or the database', async () => {
    await using app = await startApp({ LOG_LEVEL: 'trace', API_KEYS: FIXED_KEY });
    const secret = app.apiKey.slice('pst_'.length);
    // The log has the first 256 characters of a path. This path is cut inside its key.
    const long = `/${'x'.repeat(235)}${FIXED_KEY}`;
    for (const path of [`/${app.apiKey}`, `/v1/pets/${app.apiKey}`, `/v1/pets/pst%5F${secret}`, long]) {
      const line = await lineOf(app, path);
      expect(line).toMatchObject({ status: 404, path: expect.stringMatching(/pst_REDACTED$/) });
    }
    // The name of a client has 40 characters at most.
    const headers = { 'x-request-id': app.apiKey, 'x-client': `${app.apiKey.slice(0, 40)}/1` };
    const response = await app.request('/pets/1', { headers });
    await expect.poll(() => app.logLines().at(-1)).toMatchObject({ requestId: 'pst_REDACTED' });
    // The name of a configured key is its number: with a digest of the key, a reader of the log could test guesses.
    const configured = { authorization: `Bearer ${FIXED_KEY}` };
    expect(await lineOf(app, '/v1/pets', { headers: configured })).toMatchObject({ key: 'env-1' });
    expect(JSON.stringify(app.logLines())).not.toContain(secret.slice(0, 10));
    expect([await response.text(), ...(await app.dump())].join()).not.toContain(secret.slice(0, 10));
  });

  test('has the caller that a trusted proxy names, without the prefix of an IPv6 socket, and ignores X-Forwarded-For of other senders', async () => {
    await using trusting = await startApp({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    const headers = { 'x-forwarded-for': '1.1.1.1, ::ffff:192.0.2.7, 10.1.2.3' };
    expect(await lineOf(trusting, '/nowhere', { headers })).toMatchObject({ caller: '192.0.2.7' });
    expect(await lineOf(app, '/nowhere', { headers })).toMatchObject({ caller: '127.0.0.1' });
    const line = await lineOf(trusting, '/v1/pets', { headers });
    expect(line).toMatchObject({ status: 200, caller: '192.0.2.7' });
    expect(line).not.toHaveProperty('path');
  });

  test('has the time that the request waited for the database, also when its caller goes away, and the id of a new pet', async () => {
    const waitMs = 200;
    const unlock = lockSqlite(app.url);
    const caller = new AbortController();
    const patient = app.request('/pets', creation());
    const gone = app.request('/pets', { ...creation(), signal: caller.signal });
    const { connections } = app.service;
    const countBusy = () => connections.openCount - connections.idle.size;
    await expect.poll(countBusy).toBe(2);
    await sleep(waitMs);
    caller.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(countBusy).toBe(1);
    unlock();
    const { id } = Pet.parse(await (await patient).json());
    const creations = () => app.logLines().filter(({ method }) => method === 'POST');
    await expect.poll(creations).toMatchObject([{ status: 499 }, { status: 201, petId: id }]);
    for (const { databaseMs, durationMs } of creations()) {
      // Timers may fire a little early.
      expect(databaseMs).toBeGreaterThan(waitMs - 10);
      expect(databaseMs).toBeLessThan(Number(durationMs));
    }
    // The present wait is added to earlier waits.
    expect(databaseTimeOf({ databaseMs: 50, databaseSince: performance.now() })).toBeGreaterThanOrEqual(50);
  });

  test('has the trace id of a valid traceparent, also in the line of an error, whose details the response lacks', async () => {
    await using app = await startApp();
    const lineOfTrace = (sent: string) => lineOf(app, '/v1/pets/1', { headers: { traceparent: sent } });
    for (const valid of [traceparent, traceparent.replace('00', '01').concat('-more')])
      expect(await lineOfTrace(valid)).toMatchObject({ trace_id: TRACE_ID });
    for (const invalid of [`${traceparent}-more`, `00-${TRACE_ID}-${'0'.repeat(16)}-01`])
      expect(await lineOfTrace(invalid), invalid).not.toHaveProperty('trace_id');
    await runSql(app.service.database, 'drop table pets');
    const failed = await lineOfTrace(traceparent);
    expect(failed).toMatchObject({ status: 500 });
    const error = app.logLines().find(({ err }) => err !== undefined);
    const err = { message: 'no such table: pets' };
    expect(error).toMatchObject({ requestId: failed?.requestId, trace_id: TRACE_ID, err });
    const body = await (await app.request('/pets/1')).text();
    expect(JSON.parse(body)).toMatchObject({ code: 'internal_error', status: 500 });
    expect(body).not.toMatch(/table|pets|sqlite/i);
  });
});

test('only an IPv4 address in dotted form loses the prefix of an IPv6 socket, and a missing address is empty', () => {
  const addresses = ['::ffff:192.0.2.7', '::1', '::ffff:c000:207', undefined];
  expect(addresses.map(toIpv4)).toEqual(['192.0.2.7', '::1', '::ffff:c000:207', '']);
});

test('a probe has a line when it fails, and none otherwise', async () => {
  await using app = await startApp();
  for (const path of ['/livez', '/readyz', '/nowhere']) await fetch(app.origin + path);
  // A caller that gives up, as Kubernetes does after a second.
  vi.spyOn(app.service.readiness, 'assert').mockReturnValueOnce(new Promise(() => {}));
  app.service.server.once('request', ({ socket }) => socket.destroy());
  await expect(fetch(`${app.origin}/readyz`)).rejects.toThrow();
  app.service.connections.isStopping = true;
  await fetch(`${app.origin}/readyz`);
  const requests = () => app.logLines().filter(({ method }) => method !== undefined);
  const lines = () => requests().map(({ route, path, status }) => `${route ?? path} ${status}`);
  await expect.poll(lines).toEqual(['/nowhere 401', '/readyz 499', '/readyz 503']);
});

test.runIf(engines.includes('postgres'))('a log line about an error of PostgreSQL names no pet', async () => {
  await using app = await startApp({}, { engine: 'postgres' });
  await app.run('alter table pets add column nickname text not null');
  expect((await app.request('/pets', creation('Rex'))).status).toBe(500);
  const errorLines = app.logLines().filter(({ err }) => err !== undefined);
  expect(errorLines).toMatchObject([{ err: { code: '23502', message: expect.stringMatching('not-null') } }]);
  expect(JSON.stringify(errorLines)).not.toContain('Rex');
});

// `startApp` compares the lines of all other events with the schema.
test('the lines of a start and a stop have the documented form, which allows no unknown member', async () => {
  // The default MAX_CONNECTIONS adds a warning where fewer file descriptors are allowed.
  await using server = await startServer({ ADMIN_PORT: '0', MAX_CONNECTIONS: '1' });
  await server.stop();

  const output = server.output().trimEnd().split('\n');
  const lines = output.map((line) => logSchema.parse(JSON.parse(line)));
  expect(lines).toMatchObject([{ version, admin: expect.any(String) }, { signal: 'SIGTERM' }]);
  expect(() => logSchema.parse({ level: 30, time: 0, msg: 'a', unknown: 1 })).toThrow();
});

test('the log is readable text with LOG_FORMAT=text', async () => {
  await using text = await startServer({ LOG_FORMAT: 'text' }, { log: 'unread' });
  const chunks: string[] = [];
  text.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  await text.request('/pets');
  await expect.poll(() => chunks.join('')).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/v1\/pets 200 /m);
});
