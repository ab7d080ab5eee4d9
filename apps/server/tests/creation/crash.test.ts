import { copyFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines } from '@petstore/test-support/databases/databases';
import { startPostgres } from '@petstore/test-support/databases/postgres-server';
import { temporaryFolder } from '@petstore/test-support/files';
import { expectExactlyOnce, readPetsByName } from '@petstore/test-support/pets-by-name';
import { startProxy } from '@petstore/test-support/proxies/proxy';
import { chooseSeed, randomIntegers } from '@petstore/test-support/seed';
import { startServer } from '@petstore/test-support/servers/server-process';
import { startWriters } from '@petstore/test-support/writers';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { APPLICATION_ID } from '../../src/database/application-id.ts';

const WRITERS = 16;
const KILLS_OF_EACH = 2;

test('a server starts on the file that a killed start left incomplete', async () => {
  await using folder = await temporaryFolder();
  const connection = new BetterSqlite3(folder.file('petstore.db'));
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  // A transaction larger than the cache changes the file before its commit, and saves the old pages in the journal.
  connection.pragma('cache_size = 1');
  connection.exec('begin; create table half (filling); insert into half values (zeroblob(100000))');
  for (const suffix of ['', '-journal']) {
    copyFileSync(folder.file(`petstore.db${suffix}`), folder.file(`killed.db${suffix}`));
  }
  connection.close();
  await using server = await startServer({ DATABASE_URL: `sqlite:${folder.file('killed.db')}` });
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});

test.runIf(engines.includes('postgres'))(
  'every acknowledged pet exists exactly once after two replicas and PostgreSQL itself were killed',
  async () => {
    const random = randomIntegers(chooseSeed('crash of PostgreSQL'));
    await using postgres = await startPostgres();
    const environment = { DATABASE_URL: postgres.url };
    await using cleanup = new AsyncDisposableStack();
    const start = async (name: string) => {
      const proxy = cleanup.use(await startProxy());
      const server = await startServer(environment);
      proxy.aim(server.origin);
      return { proxy, server, writers: startWriters(proxy.origin, { count: WRITERS / 2, random, name }) };
    };
    const replicas = [await start('one'), await start('two')];
    cleanup.defer(async () => {
      for (const { server } of replicas) await server[Symbol.asyncDispose]();
    });

    for (let kill = 0; kill < KILLS_OF_EACH; kill += 1) {
      for (const replica of replicas) {
        await sleep(random(50, 400));
        replica.proxy.aim();
        await replica.server.stop('SIGKILL');
        replica.server = await startServer(environment);
        replica.proxy.aim(replica.server.origin);
      }
      await sleep(random(50, 400));
      await postgres.kill();
      await sleep(random(50, 400));
      await postgres.start();
      await sleep(500);
    }
    const creations = () => replicas.flatMap(({ writers }) => writers.creations);
    await expect.poll(() => creations().filter(({ ids }) => ids.length > 0).length).toBeGreaterThan(100);
    await Promise.all(replicas.map(({ writers }) => writers.end()));

    const petsByName = await readPetsByName(replicas[0]?.server.baseUrl ?? '');
    expectExactlyOnce(petsByName, creations());
  },
);
