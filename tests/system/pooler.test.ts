import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { longTimeouts, startServer } from '@petstore/test-support/servers/server-process';
import { expectExactlyOnce, startWriters } from '@petstore/test-support/writers';
import { expect, test } from 'vitest';
import { startPgBouncer } from './programs.ts';

test.each(['transaction', 'session'])(
  'behind PgBouncer in %s mode two servers respond without errors and add each pet exactly once',
  async (pool_mode) => {
    await using database = await temporaryDatabase('postgres');
    await using pooler = await startPgBouncer(database.url, {
      pool_mode,
      // In session mode, each of the two servers keeps 10 sessions. In transaction mode, both share 3 sessions.
      default_pool_size: pool_mode === 'session' ? 20 : 3,
    });
    // `longTimeouts`, because on a busy machine a writer may wait long for one of the sessions.
    await using first = await startServer({ DATABASE_URL: pooler.url, ...longTimeouts });
    await using second = await startServer({ DATABASE_URL: pooler.url, ...longTimeouts });
    const writers = [first, second].map(({ origin }) => startWriters(origin, { count: 4 }));
    const paths = ['/pets?status=sold', '/pets', '/pets/1'];
    for (const end = performance.now() + 3_000; performance.now() < end; ) {
      const requests = [first, second].flatMap(({ request }) => paths.map((path) => request(path)));
      const responses = await Promise.all(requests);
      // The first pet may not be there yet.
      for (const { status } of responses) expect([200, 404]).toContain(status);
    }
    for (const writer of writers) await writer.end();
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
