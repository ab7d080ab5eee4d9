import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore } from '@petstore/client';
import { engines } from '@petstore/test-support/databases/databases';
import { startPostgresProxy } from '@petstore/test-support/databases/postgres-proxy';
import {
  type PostgresServer,
  type PostgresStandby,
  startPostgres,
} from '@petstore/test-support/databases/postgres-server';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expectExactlyOnce, startWriters } from '@petstore/test-support/writers';
import { describe, expect, test } from 'vitest';
import { addPets, openDatabase } from '#support/database';
import { listPets } from '../../src/pets/repository.ts';
import { readConfig } from '../../src/process/config.ts';

function callerOf(origin: string) {
  const request = fetchWithKey(origin, FIXED_KEY);
  const status = async (path: string) => (await request(path)).status;
  const add = (name: string, headers: Record<string, string> = {}) =>
    request('/v1/pets', creation(name, headers));
  return { request, status, add };
}

/** Makes each commit wait for a standby. */
async function waitForStandby({ query }: PostgresServer): Promise<void> {
  await query(`alter system set synchronous_standby_names = '*'`);
  await query('select pg_reload_conf()');
}

/** The URL of a database with two hosts. */
const urlOf = (postgres: PostgresServer, standby: PostgresStandby) =>
  postgres.url.replace(/(?=\/postgres$)/, `,${new URL(standby.url).host}`);

describe.runIf(engines.includes('postgres'))('with a standby of PostgreSQL', () => {
  test('a failover to a synchronous standby, even after it stalled, fails no call, and loses and doubles no acknowledged pet', async () => {
    await using postgres = await startPostgres();
    await using standby = await postgres.startStandby();
    await waitForStandby(postgres);
    await using server = await startServer({
      DATABASE_URL: `${urlOf(postgres, standby)}?target_session_attrs=read-write`,
      DATABASE_POOL_SIZE: '5',
    });
    const { add, request, status } = callerOf(server.origin);
    expect((await add('before')).status).toBe(201);
    const countConnections = `select count(*) from pg_stat_activity where application_name = 'petstore'`;
    // The start has probed both hosts.
    await expect.poll(() => standby.query(countConnections)).toEqual([{ count: 0n }]);

    const addWithKey = async (writer: number) =>
      (await add(`stalled ${writer}`, { 'idempotency-key': `w${writer}` })).status;
    await standby.stall();
    for (const stop of ['cancel', 'terminate']) {
      const stopped = add(stop);
      const stopWaits = `select pg_${stop}_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      await expect.poll(async () => (await postgres.query(stopWaits)).length).toBeGreaterThan(0);
      expect((await stopped).status, 'the standby may lack it').toBe(503);
    }

    const end = performance.now() + 1_500;
    const repeat = async (work: () => Promise<number>, results: Set<number>) => {
      for (; performance.now() < end; await sleep(20)) results.add(await work());
    };
    const [added, read, connections] = [new Set<number>(), new Set<number>(), new Set<number>()];
    await Promise.all([
      ...Array.from({ length: 20 }, (_, writer) => repeat(() => addWithKey(writer), added)),
      ...[1, 2, 3, 4].map((limit) => repeat(() => status(`/v1/pets?limit=${limit}`), read)),
      repeat(async () => Number((await postgres.query(countConnections))[0]?.count), connections),
    ]);
    expect(Math.max(...connections)).toBeLessThanOrEqual(5);
    expect(read).toEqual(new Set([200]));
    expect(added).toEqual(new Set([503]));

    standby.resume();
    await expect.poll(() => addWithKey(0)).toBe(201);
    for (let writer = 0; writer < 20; writer += 1) expect(await addWithKey(writer)).toBe(201);
    const pets: { name: string }[] = JSON.parse(await (await request('/v1/pets?limit=100')).text());
    const stalled = Array.from({ length: 20 }, (_, writer) => `stalled ${writer}`);
    const names = ['before', 'cancel', 'terminate', ...stalled];
    expect(pets.map(({ name }) => name).toSorted()).toEqual(names.toSorted());

    const writers = startWriters(server.origin, { count: 8 });
    const store = createPetStore({ baseUrl: server.baseUrl, apiKey: FIXED_KEY });
    let isEnding = false;
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let call = 0; !isEnding; call += 1) {
        const name = `caller-${caller}-${call}`;
        const { id } = await store.createPet({ name, categoryId: 1 });
        writers.creations.push({ name, ids: [id] });
        await store.getPet(id);
        await sleep(20);
      }
    });
    const acknowledgedCount = () => writers.creations.filter(({ ids }) => ids.length > 0).length;
    await expect.poll(acknowledgedCount).toBeGreaterThan(20);

    await postgres.kill();
    await sleep(1_000);
    const before = acknowledgedCount();
    await standby.promote();
    await expect.poll(acknowledgedCount).toBeGreaterThan(before + 40);
    isEnding = true;
    await Promise.all([...callers, writers.end()]);

    const existing = names.map((name) => ({ name, ids: [] }));
    await expectExactlyOnce(server.baseUrl, [...existing, ...writers.creations]);
  });

  test('a server accepts no standby, and no old primary after a failover, even if the old one still runs', async () => {
    await using postgres = await startPostgres();
    await using proxy = await startPostgresProxy(postgres);
    await using server = await startServer({ DATABASE_URL: proxy.url });
    const { add, status, request } = callerOf(server.origin);
    await add('first');
    await using standby = await postgres.startStandby();

    const url = standby.url.replace('@', '@127.0.0.1:1,');
    await using waiting = await startServer({ DATABASE_URL: url });
    await expect
      .poll(() => waiting.output())
      .toMatch(/"message":"[^"]* is a standby: it must be the primary"/);
    expect((await fetch(`${waiting.origin}/readyz`)).status).toBe(503);

    // A cache could keep these responses, and send them when the database is a standby.
    for (const path of ['/v1/pets', '/v1/pets/1']) for (let time = 0; time < 3; time += 1) await status(path);
    proxy.aim(standby.url);
    await postgres.dropConnections();
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/2', '/readyz']) {
      await expect.poll(() => status(path)).toBe(503);
    }
    expect((await add('second')).status).toBe(503);
    expect((await request('/v1/pets')).headers.get('retry-after')).toBe('1');

    proxy.aim(postgres.url);
    await standby.dropConnections();
    await expect.poll(() => status('/readyz')).toBe(200);
    expect((await add('second')).status).toBe(201);
    expect(await status('/v1/pets')).toBe(200);

    const countOn = async ({ query }: typeof postgres | typeof standby) =>
      (await query('select count(*)::int as pets from pets'))[0]?.pets;
    await expect.poll(() => countOn(standby)).toBe(2);
    // Idle connections of `database` close at once, so `addPets` opens the first connection to the new primary.
    const environment = { DATABASE_URL: proxy.url, DATABASE_IDLE_TIMEOUT_MS: '1' };
    await using database = await openDatabase(readConfig(environment));
    await expect.poll(() => database.pool?.totalCount).toBe(0);
    // `writing` and `reading` know both hosts. The old primary still responds after the promotion, but cannot commit.
    const openBoth = () => openDatabase(readConfig({ DATABASE_URL: urlOf(postgres, standby) }));
    await using writing = await openBoth();
    await using reading = await openBoth();
    expect(await listPets(reading.db, { limit: 9 })).toHaveLength(2);
    await waitForStandby(postgres);
    await standby.promote();
    proxy.aim(standby.url);
    await expect(addPets(database, [{ name: 'third', categoryId: 1 }])).resolves.toHaveLength(1);
    const addFourth = () => addPets(writing, [{ name: 'fourth', categoryId: 1 }]).catch(() => []);
    await expect.poll(addFourth, { timeout: 15_000 }).toHaveLength(1);
    await using late = await openBoth();
    const namesOf = async ({ db }: typeof late) => (await listPets(db, { limit: 9 })).map(({ name }) => name);
    expect(await namesOf(late), 'a new process finds the new primary first').toEqual(
      expect.arrayContaining(['third', 'fourth']),
    );
    await expect.poll(() => namesOf(reading).catch(() => []), { timeout: 10_000 }).toContain('third');
    await expect.poll(async () => (await fetch(`${waiting.origin}/readyz`)).status).toBe(200);

    // Simultaneous requests need further connections, which lead to the new primary.
    const paths = ['/v1/pets', '/v1/pets/1', '/readyz', '/v1/pets?status=sold'];
    const ask = () => Promise.all([...paths.map(status), add('after')]);
    await expect.poll(() => ask().then(() => countOn(standby))).toBeGreaterThan(4);
    const before = await countOn(postgres);
    for (let count = 0; count < 5; count += 1) await ask();
    expect(await countOn(postgres)).toBe(before);

    expect(database.pool?.isBehind).toBe(false);
    proxy.aim(postgres.url);
    await standby.dropConnections();
    const isBehind = async () => (await namesOf(database).catch(() => [])) && database.pool?.isBehind;
    await expect.poll(isBehind).toBe(true);
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/2', '/readyz']) {
      await expect.poll(() => status(path)).toBe(503);
    }
    expect((await add('lost')).status).toBe(503);
    // The server logs such a 503 at most once a second, and the first one may be about a lost connection.
    const output = () => status('/v1/pets/2').then(server.output);
    await expect.poll(output).toContain('has an older history than this process has seen');
    proxy.aim(standby.url);
    await expect.poll(() => status('/v1/pets/2')).toBe(200);
  });
});
