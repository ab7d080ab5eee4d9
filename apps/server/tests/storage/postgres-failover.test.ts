import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore } from '@petstore/client';
import { engines } from '@petstore/test-support/databases/databases';
import { startPostgresProxy } from '@petstore/test-support/databases/postgres-proxy';
import { type PostgresServer, startPostgres } from '@petstore/test-support/databases/postgres-server';
import { creation, fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expectExactlyOnce, startWriters } from '@petstore/test-support/writers';
import { describe, expect, test } from 'vitest';
import { addPets, openDatabase } from '#support/database';
import type { Database } from '../../src/database/database.ts';
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
async function enableSynchronousReplication({ query }: PostgresServer): Promise<void> {
  await query(`alter system set synchronous_standby_names = '*'`);
  // Servers must see the warning of a cancelled wait although the default of their role hides it.
  await query('alter role postgres set client_min_messages = error; select pg_reload_conf()');
}

const namesOf = async ({ db }: Database) => (await listPets(db, { limit: 9 })).map(({ name }) => name);

/** The URL of a database with two hosts. */
const urlOf = (first: { url: string }, second: { url: string }) =>
  first.url.replace(/(?=\/postgres$)/, `,${new URL(second.url).host}`);

describe.runIf(engines.includes('postgres'))('with a standby of PostgreSQL', () => {
  test('while a synchronous standby stalls, creations get 503 and reads 200, and its later promotion fails no call of the client and loses or doubles no acknowledged pet', async () => {
    await using postgres = await startPostgres();
    await using standby = await postgres.startStandby();
    await enableSynchronousReplication(postgres);
    await using server = await startServer({
      DATABASE_URL: `${urlOf(postgres, standby)}?target_session_attrs=read-write`,
      DATABASE_POOL_SIZE: '5',
    });
    const { add, request, status } = callerOf(server.origin);
    expect((await add('before')).status).toBe(201);
    const countConnections = async ({ query }: Pick<PostgresServer, 'query'>) =>
      (await query(`select from pg_stat_activity where application_name = 'petstore'`)).length;
    // The start has probed both hosts, and keeps no connection to the standby.
    await expect.poll(() => countConnections(standby)).toBe(0);

    const stalled = Array.from({ length: 20 }, (_, writer) => `stalled-${writer}`);
    const addWithKey = async (name: string) => (await add(name, { 'idempotency-key': name })).status;
    await standby.stall();
    for (const stop of ['cancel', 'terminate']) {
      const stopped = add(stop);
      const stopWaits = `select pg_${stop}_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      await expect.poll(async () => (await postgres.query(stopWaits)).length).toBeGreaterThan(0);
      expect((await stopped).status, 'the standby may lack the pet').toBe(503);
    }

    const end = performance.now() + 1_500; // How long each check is repeated, while the standby stalls.
    const repeat = async (check: () => Promise<unknown>) => {
      for (; performance.now() < end; await sleep(20)) await check();
    };
    await Promise.all([
      ...stalled.map((name) => repeat(async () => expect(await addWithKey(name)).toBe(503))),
      ...[1, 2, 3, 4].map((limit) =>
        repeat(async () => expect(await status(`/v1/pets?limit=${limit}`)).toBe(200)),
      ),
      repeat(async () => expect(await countConnections(postgres)).toBeLessThanOrEqual(5)),
    ]);

    standby.resume();
    for (const name of stalled) await expect.poll(() => addWithKey(name)).toBe(201);
    const pets: { name: string }[] = JSON.parse(await (await request('/v1/pets?limit=100')).text());
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
    // Calls meet the outage, and are retried until the promotion.
    await sleep(1_000);
    const before = acknowledgedCount();
    await standby.promote();
    await expect.poll(acknowledgedCount).toBeGreaterThan(before + 40); // More than two for each of 16 callers.
    isEnding = true;
    await Promise.all([...callers, writers.end()]);

    const existing = names.map((name) => ({ name, ids: [] }));
    await expectExactlyOnce(server.baseUrl, [...existing, ...writers.creations]);
  });

  test('a server accepts no standby, neither at its start nor later', async () => {
    await using postgres = await startPostgres();
    await using proxy = await startPostgresProxy(postgres);
    await using server = await startServer({ DATABASE_URL: proxy.url });
    const { add, status } = callerOf(server.origin);
    await add('first');
    await using standby = await postgres.startStandby();
    await using waiting = await startServer({ DATABASE_URL: standby.url.replace('@', '@127.0.0.1:1,') });
    const reason = /"message":"[^"]* is a standby: it must be the primary"/; // Not that 127.0.0.1:1 refuses.
    await expect.poll(() => waiting.output()).toMatch(reason);
    const waitingStatus = async () => (await fetch(`${waiting.origin}/readyz`)).status;
    expect(await waitingStatus()).toBe(503);

    // A cache could keep these responses, and send them when the database is a standby.
    for (const path of ['/v1/pets', '/v1/pets/1']) for (let time = 0; time < 3; time += 1) await status(path);
    proxy.aim(standby.url);
    await postgres.dropConnections();
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/2', '/readyz'])
      await expect.poll(() => status(path)).toBe(503);
    expect((await add('second')).status).toBe(503);

    proxy.aim(postgres.url);
    await standby.dropConnections();
    await expect.poll(() => status('/readyz')).toBe(200);
    expect((await add('second')).status).toBe(201);
    expect(await status('/v1/pets')).toBe(200);

    await standby.promote();
    await expect.poll(waitingStatus).toBe(200);
  });

  test('after a failover every process leaves the old primary, even if it still runs', async () => {
    await using postgres = await startPostgres();
    await using proxy = await startPostgresProxy(postgres);
    await using server = await startServer({ DATABASE_URL: proxy.url });
    const { add, request, status } = callerOf(server.origin);
    await add('first');
    await using standby = await postgres.startStandby();
    await expect.poll(() => standby.query('select from pets')).toHaveLength(1);
    await using secondHost = await startPostgresProxy({ url: 'postgres://127.0.0.1:1' }); // Unreachable at first.
    // Idle connections of `database` close at once, so `addPets` opens the first connection to the new primary.
    const environment = { DATABASE_URL: urlOf(proxy, secondHost), DATABASE_IDLE_TIMEOUT_MS: '1' };
    await using database = await openDatabase(readConfig(environment));
    await expect.poll(() => database.pool?.totalCount).toBe(0);
    // `writing` and `reading` know both hosts. The old primary still responds after the promotion, but cannot commit.
    const openBoth = () => openDatabase(readConfig({ DATABASE_URL: urlOf(postgres, standby) }));
    await using writing = await openBoth();
    await using reading = await openBoth();
    expect(await namesOf(reading)).toEqual(['first']);
    await enableSynchronousReplication(postgres);
    await standby.promote();
    proxy.aim(standby.url);
    await expect(addPets(database, [{ name: 'second', categoryId: 1 }])).resolves.toHaveLength(1);
    const addThird = () => addPets(writing, [{ name: 'third', categoryId: 1 }]).catch(() => []);
    await expect.poll(addThird).toHaveLength(1);
    await using late = await openBoth();
    const names = expect.arrayContaining(['second', 'third']);
    expect(await namesOf(late), 'a new process finds the new primary first').toEqual(names);
    await expect.poll(() => namesOf(reading).catch(() => [])).toEqual(names);

    // Simultaneous requests need further connections, which lead to the new primary.
    const ask = () => Promise.all([add('after'), ...['/v1/pets', '/v1/pets/1', '/readyz'].map(status)]);
    await expect.poll(() => ask().then(() => namesOf(late))).toContain('after');

    expect(database.pool?.isBehind).toBe(false);
    // `database` must find that its first host is behind, although the second one is a standby.
    await using oldStandby = await postgres.startStandby();
    secondHost.aim(oldStandby.url);
    proxy.aim(postgres.url);
    await standby.dropConnections();
    const readAgain = () => namesOf(database).catch(() => {});
    await expect.poll(() => readAgain().then(() => database.pool?.isBehind)).toBe(true);
    for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/2', '/readyz'])
      await expect.poll(() => status(path)).toBe(503);
    expect((await add('lost')).status).toBe(503);
    const body = async () => (await request('/v1/pets/2')).text();
    await expect.poll(body).toContain('"code":"database_behind"');
    // The server logs such a 503 at most once a second, and the first one may be about a lost connection.
    const output = () => body().then(server.output);
    const logged = /has an older timeline than this process has seen.+"code":"database_behind"/s;
    await expect.poll(output).toMatch(logged);
    proxy.aim(standby.url);
    await expect.poll(() => status('/v1/pets/2')).toBe(200);
    expect(server.output(), 'only JSON, without warnings of node-postgres').not.toMatch(/^[^{]/m);
  });
});
