import { describe, expect, test } from 'vitest';
import { engines } from './support/engines.ts';
import { startPostgres } from './support/postgres-server.ts';
import { FIXED_KEY, startServer } from './support/process.ts';

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
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => (index % 2 ? ask('/v1/pets') : add())),
    );
    expect(performance.now() - start).toBeLessThan(QUICKLY_MS);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(answers.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    expect(await answers[0]?.json()).toMatchObject({ code: 'database_unavailable', status: 503 });
    expect((await ask('/readyz')).status).toBe(503);
    expect((await ask('/livez')).status).toBe(200);

    await postgres.start();
    await expect.poll(async () => (await ask('/readyz')).status, { timeout: QUICKLY_MS }).toBe(200);
    expect((await add()).status).toBe(201);
    expect((await ask('/v1/pets')).status).toBe(200);
  });

  test('connections that the server dropped are not felt by those who read', async () => {
    await using postgres = await startPostgres();
    await using server = await startServer({ DATABASE_URL: postgres.url });
    const read = () => fetch(`${server.baseUrl}/pets`, { headers: { authorization: `Bearer ${FIXED_KEY}` } });
    await Promise.all(Array.from({ length: 50 }, read));
    for (let round = 0; round < 10; round += 1) {
      await postgres.dropConnections();
      const answers = await Promise.all(Array.from({ length: 20 }, read));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
  });
});
