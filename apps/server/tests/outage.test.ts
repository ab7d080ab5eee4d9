import { engines } from '@petstore/test-support/engines';
import { startPostgres } from '@petstore/test-support/postgres-server';
import { startProxy } from '@petstore/test-support/proxy';
import { FIXED_KEY, startServer } from '@petstore/test-support/server-process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from './support/app.ts';
import { runSql } from './support/sql.ts';

const QUICKLY_MS = 3_000;

describe.runIf(engines.includes('postgres'))('while PostgreSQL is away', () => {
  test('callers get 503 with Retry-After quickly, /readyz says so, and the service recovers by itself', async () => {
    await using postgres = await startPostgres();
    await using server = await startServer({ DATABASE_URL: postgres.url });
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${server.origin}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${FIXED_KEY}`, 'content-type': 'application/json' },
      });
    const add = () => ask('/v1/pets', { method: 'POST', body: '{"name":"a","categoryId":1}' });
    expect((await add()).status).toBe(201);

    await postgres.kill();
    const start = performance.now();
    const responses = await Promise.all(
      Array.from({ length: 300 }, (_, index) => (index % 2 ? ask('/v1/pets') : add())),
    );
    expect(performance.now() - start).toBeLessThan(QUICKLY_MS);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(responses.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect(await responses[0]?.json()).toMatchObject({ code: 'database_unavailable', status: 503 });
    expect((await ask('/readyz')).status).toBe(503);
    expect((await ask('/livez')).status).toBe(200);

    await postgres.start();
    await expect.poll(async () => (await ask('/readyz')).status, { timeout: QUICKLY_MS }).toBe(200);
    expect((await add()).status).toBe(201);
    expect((await ask('/v1/pets')).status).toBe(200);
  });

  test('one that says nothing any more is waited for once, and not at the end', async () => {
    await using postgres = await startPostgres();
    await using proxy = await startProxy();
    const url = new URL(postgres.url);
    proxy.aim(`http://${url.host}`);
    url.host = new URL(proxy.origin).host;
    await using server = await startServer({ DATABASE_URL: url.href });
    const ask = async (path: string, init: RequestInit = {}) => {
      const start = performance.now();
      const headers = { authorization: `Bearer ${FIXED_KEY}`, 'content-type': 'application/json' };
      const { status } = await fetch(`${server.origin}${path}`, { ...init, headers });
      return { status, ms: performance.now() - start };
    };
    const add = () => ask('/v1/pets', { method: 'POST', body: '{"name":"a","categoryId":1}' });
    const askAll = () =>
      Promise.all(Array.from({ length: 200 }, (_, index) => (index % 2 ? ask('/v1/pets') : add())));
    const slowest = (responses: { ms: number }[]) => Math.max(...responses.map(({ ms }) => ms));
    const statuses = (responses: { status: number }[]) => [...new Set(responses.map(({ status }) => status))];
    expect(statuses(await askAll()).sort()).toEqual([200, 201]);

    void proxy.hold(Number.POSITIVE_INFINITY);
    const asked = askAll();
    const ready = await ask('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.ms).toBeLessThan(2_000);
    const first = await asked;
    expect(statuses(first)).toEqual([503]);
    // PostgreSQL ends a transaction that it has begun and hears no more of: that is tried once more.
    expect(slowest(first)).toBeLessThan(2 * QUICKLY_MS);
    const later = await askAll();
    expect(statuses(later)).toEqual([503]);
    expect(slowest(later)).toBeLessThan(1_000);
    expect((await ask('/livez')).status).toBe(200);

    proxy.release();
    await expect.poll(async () => (await ask('/readyz')).status, { timeout: QUICKLY_MS }).toBe(200);
    expect(statuses(await askAll()).sort()).toEqual([200, 201]);

    void proxy.hold(Number.POSITIVE_INFINITY);
    expect(statuses(await askAll())).toEqual([503]);
    const start = performance.now();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(QUICKLY_MS);
  });

  test('connections that the server dropped are not felt by those who read', async () => {
    await using postgres = await startPostgres();
    await using server = await startServer({ DATABASE_URL: postgres.url });
    const read = () => fetch(`${server.baseUrl}/pets`, { headers: { authorization: `Bearer ${FIXED_KEY}` } });
    await Promise.all(Array.from({ length: 50 }, read));
    for (let round = 0; round < 10; round += 1) {
      await postgres.dropConnections();
      const responses = await Promise.all(Array.from({ length: 20 }, read));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    }
  });

  test('a cached pet outlives the connections to its server, and not a restart or the table itself', async () => {
    await using postgres = await startPostgres();
    await using app = await startApp({ DATABASE_URL: postgres.url }, 'postgres');
    const read = () => app.request('/pets/1');
    const name = async () => z.object({ name: z.string() }).parse(await (await read()).json()).name;
    const rename = (to: string) => postgres.query(`update pets set name = '${to}'`);
    await app.request('/pets', { method: 'POST', body: '{"name":"first","categoryId":1}' });
    for (let time = 0; time < 3; time += 1) expect(await name()).toBe('first');

    await rename('second');
    await postgres.dropConnections();
    expect(await name(), 'cached').toBe('first');
    await postgres.kill();
    await postgres.start();
    await expect.poll(async () => (await read()).status, { timeout: QUICKLY_MS }).toBe(200);
    expect(await name()).toBe('second');

    for (let time = 0; time < 3; time += 1) await read();
    await postgres.query('truncate pets');
    expect((await read()).status).toBe(404);
  });

  test('a server that responds, but has no connection free in time, is overloaded and not away', async () => {
    await using postgres = await startPostgres();
    const limits = { DATABASE_POOL_SIZE: '1', DATABASE_CONNECT_TIMEOUT_MS: '300' };
    await using app = await startApp({ DATABASE_URL: postgres.url, ...limits }, 'postgres');
    await app.request('/pets');
    const work = runSql(app.context.database, 'select pg_sleep(1)');
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, id) => app.request(`/pets/${id + 1}`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    const bodies: unknown[] = await Promise.all(responses.map((response) => response.json()));
    for (const body of bodies) expect(body).toMatchObject({ code: 'overloaded' });
    expect(app.logLines().filter(({ level }) => level === 50)).toHaveLength(1);
    await work;
    expect((await app.request('/pets')).status).toBe(200);
  });

  test('a version stays the same without a commit, and has another epoch after a restart', async () => {
    await using postgres = await startPostgres();
    await using app = await startApp({ DATABASE_URL: postgres.url }, 'postgres');
    const { database } = app.context;
    const version = await database.version();
    await postgres.dropConnections();
    expect(await database.version()).toEqual(version);
    await app.request('/pets', { method: 'POST', body: '{"name":"a","categoryId":1}' });
    const next = await database.version();
    expect(next.epoch).toBe(version.epoch);
    expect(next.content).not.toBe(version.content);
    await postgres.kill();
    await postgres.start();
    await expect.poll(async () => (await app.request('/pets')).status, { timeout: QUICKLY_MS }).toBe(200);
    expect((await database.version()).epoch).not.toBe(version.epoch);
  });
});
