import { copyFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pet } from '@petstore/contract';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
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
/** For a longer trial, set KILLS to a larger number and SEED to another one. */
const KILLS = Number(process.env.KILLS ?? 6);

// Half of the kills come at a random moment. Before the other half, the proxy holds back responses, whose pets are
// committed. For clients these kills come between commit and response, and the service needs no code for the test.
test.each(engines)(
  'over %s, after a kill every acknowledged pet exists exactly once, and no other pet exists twice',
  async (engine) => {
    const random = randomIntegers(chooseSeed('crash'));
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    await using proxy = await startProxy();
    let server = await startServer(environment);
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => server[Symbol.asyncDispose]());
    proxy.aim(server.origin);
    const writers = startWriters(proxy.origin, { count: WRITERS, random });

    const kept: Pet[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(random(50, 400));
      if (kill % 2 === 0) {
        const responses = await proxy.hold(random(1, WRITERS / 2));
        kept.push(
          ...responses.map((response) => Pet.parse(JSON.parse(response.slice(response.indexOf('{'))))),
        );
      }
      proxy.aim();
      await server.stop('SIGKILL');
      proxy.release();
      server = await startServer(environment);
      proxy.aim(server.origin);
    }
    // There must be many pets, and responses that only an idempotency record can give.
    const acknowledged = () => writers.creations.filter(({ ids }) => ids.length > 0);
    await expect.poll(() => acknowledged().length).toBeGreaterThan(200);
    await expect.poll(() => writers.replays()).toBeGreaterThan(0);
    await writers.end();

    const petsByName = await readPetsByName(server.baseUrl);
    await server.stop();
    expectExactlyOnce(petsByName, writers.creations);
    for (const { name, id } of kept)
      expect(petsByName.get(name), `committed without a response: ${name}`).toEqual([id]);
    expect(kept.length).toBeGreaterThanOrEqual(KILLS / 2);

    if (engine === 'sqlite') {
      const file = new BetterSqlite3(database.url.slice('sqlite:'.length), { readonly: true });
      expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
      file.close();
    }
  },
);

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
