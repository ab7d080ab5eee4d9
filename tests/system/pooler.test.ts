import { NOTE_SETTINGS, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expectExactlyOnce, startWriters } from '@petstore/test-support/writers';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startPgBouncer } from './programs.ts';

test.each(['transaction', 'session'])(
  'behind PgBouncer in %s mode two servers respond without errors and add each pet exactly once',
  async (pool_mode) => {
    await using database = await temporaryDatabase('postgres');
    await using pooler = await startPgBouncer(database.url, {
      pool_mode,
      // In session mode each connection of both servers keeps a session.
      default_pool_size: pool_mode === 'session' ? 20 : 3,
    });
    // Long, because on a busy machine a writer may wait long for one of the sessions.
    const patience = { DATABASE_CONNECT_TIMEOUT_MS: '20000', DATABASE_STATEMENT_TIMEOUT_MS: '20000' };
    await using first = await startServer({ DATABASE_URL: pooler.url, ...patience });
    await using second = await startServer({ DATABASE_URL: pooler.url, ...patience });
    const writers = [first, second].map(({ origin }, number) =>
      startWriters(origin, { count: 4, name: `server-${number}` }),
    );
    const statuses = new Set<number>();
    const end = performance.now() + 3_000;
    const read = async (baseUrl: string) => {
      while (performance.now() < end) {
        for (const path of ['/pets?status=sold', '/pets', '/pets/1']) {
          statuses.add((await fetchWithKey(baseUrl, FIXED_KEY)(path)).status);
        }
      }
    };
    await Promise.all([first, second, first, second].map(({ baseUrl }) => read(baseUrl)));
    for (const writer of writers) await writer.end();
    expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([]);
    const creations = writers.flatMap(({ creations: all }) => all);
    expect(creations.length).toBeGreaterThan(10);
    expect(creations.filter(({ ids }) => ids.length === 0)).toEqual([]);
    await expectExactlyOnce(first.baseUrl, creations);
  },
);

test.each([
  ['in statement mode', { pool_mode: 'statement' }, /statement pooling mode/],
  ['without the documented settings', { ignore_startup_parameters: '' }, /ignore_startup_parameters/],
])('behind PgBouncer %s a server does not start, and names the setting', async (_what, settings, message) => {
  await using database = await temporaryDatabase('postgres');
  await using pooler = await startPgBouncer(database.url, settings);
  await expect(startServer({ DATABASE_URL: pooler.url })).rejects.toThrow(message);
});

test('a setting that another program made in a session of PgBouncer does not affect creations', async () => {
  await using database = await temporaryDatabase('postgres');
  await using pooler = await startPgBouncer(database.url, { pool_mode: 'transaction', default_pool_size: 1 });
  await using server = await startServer({ DATABASE_URL: pooler.url });
  await database.run(NOTE_SETTINGS);
  const client = new pg.Client(pooler.url);
  await client.connect();
  await client.query('set synchronous_commit = off');
  const { status } = await fetchWithKey(server.baseUrl, FIXED_KEY)('/pets', creation());
  expect(status).toBe(201);
  const { rows } = await client.query('select synchronous_commit from noted');
  await client.end();
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
});
