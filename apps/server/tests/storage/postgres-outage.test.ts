import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { connectPostgres } from '@petstore/test-support/databases/postgres-client';
import { startPostgresProxy } from '@petstore/test-support/databases/postgres-proxy';
import { type PostgresServer, startPostgres } from '@petstore/test-support/databases/postgres-server';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, longTimeouts, startServer } from '@petstore/test-support/servers/server-process';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { occupyConnection, startApp } from '#support/app';
import { addPets, openDatabase, runInTransaction, runSql } from '#support/database';
import { ConnectionError } from '../../src/database/connection-error.ts';
import { execute } from '../../src/database/postgres/execute.ts';
import { hostConfigs } from '../../src/database/postgres/host-configs.ts';
import { PrimaryPool } from '../../src/database/postgres/pool.ts';
import { locks } from '../../src/database/postgres/transaction.ts';
import { createKey, revokeKeysOf, rotateKey, setRateLimit } from '../../src/keys/manage.ts';
import { findPet } from '../../src/pets/repository.ts';
import { readConfig } from '../../src/process/config.ts';

/** Far less than TCP's own timeouts, which take minutes, and enough for a busy machine. */
const QUICKLY_MS = 10_000;

const END_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Sets a parameter for later connections, and ends the open ones. */
async function configure(run: (statement: string) => Promise<unknown>, setting: string): Promise<void> {
  await run(`do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`);
  await run(END_CONNECTIONS);
}

describe.runIf(engines.includes('postgres'))('when PostgreSQL fails', () => {
  /** A server on this machine: one test stops a process of it, another sets a parameter that older servers lack. */
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
    return () => postgres[Symbol.asyncDispose]();
  });

  test('only the first requests wait for a database that does not respond, and a stop does not wait', async () => {
    await using temporary = await temporaryDatabase('postgres');
    await using proxy = await startPostgresProxy(temporary);
    await using server = await startServer({ DATABASE_URL: proxy.url });
    const statusOf = async (path: string) => (await fetch(server.origin + path)).status;
    /** Sends requests at once. @returns their statuses, and how long the last response took */
    const askAll = async (length = 100) => {
      const start = performance.now();
      const send = (_: unknown, index: number) => server.request('/pets', index % 2 ? {} : creation());
      const responses = await Promise.all(Array.from({ length }, send));
      return { statuses: new Set(responses.map(({ status }) => status)), ms: performance.now() - start };
    };
    expect((await askAll(2)).statuses).toEqual(new Set([200, 201]));
    // On a busy machine, many first statements may take too long.
    await expect.poll(async () => (await askAll()).statuses).toEqual(new Set([200, 201]));

    proxy.hold();
    const asked = askAll();
    expect(await statusOf('/readyz')).toBe(503);
    const first = await asked;
    expect(first.statuses).toEqual(new Set([503]));
    expect(first.ms).toBeLessThan(QUICKLY_MS);
    // Few, because a busy machine takes long to send many.
    const later = await askAll(10);
    expect(later.statuses).toEqual(new Set([503]));
    expect(later.ms).toBeLessThan(first.ms / 2);
    expect(await statusOf('/livez')).toBe(200);

    proxy.release();
    await expect.poll(() => statusOf('/readyz')).toBe(200);
    await expect.poll(async () => (await askAll()).statuses).toEqual(new Set([200, 201]));

    proxy.hold();
    expect((await askAll()).statuses).toEqual(new Set([503]));
    const stoppedAt = performance.now();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - stoppedAt).toBeLessThan(QUICKLY_MS);
  });

  test('a connection that closes while it is being opened is opened again, a commit without a response fails as uncertain, and writes fail until a search finds the server', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    await using temporary = await temporaryDatabase('postgres');
    await using proxy = await startPostgresProxy(temporary);
    const environment = { DATABASE_URL: proxy.url, DATABASE_IDLE_TIMEOUT_MS: '1', ...longTimeouts };
    await using database = await openDatabase(readConfig(environment));
    expect(database.pool?.options.idleTimeoutMillis).toBe(1);
    await expect.poll(() => database.pool?.totalCount).toBe(0); // So that the read below opens a connection.
    proxy.cutOnce();
    await expect(findPet(database.db, 1)).resolves.toBeUndefined();
    const uncertain = database.db.transaction().execute(async () => proxy.cutOnce());
    await expect(uncertain).rejects.toMatchObject({ kind: 'commit' });
    await expect.poll(() => database.pool?.totalCount).toBe(0);
    proxy.aim('http://127.0.0.1:1'); // No server listens there.
    const create = () => createKey(database.db, 'shop');
    await expect(create()).rejects.toThrow(ConnectionError);
    proxy.aim(temporary.url);
    // Runs only the search, which is due every 250 ms, and not the watch for a newer primary, due every 3 s.
    vi.advanceTimersByTime(250);
    vi.useRealTimers();
    await expect.poll(() => create().catch(() => 'later')).toMatch(/^pst_/);
  });

  test('a transaction whose connection PostgreSQL ends fails, but reads, and a creation that was not sent, are repeated', async () => {
    await using app = await startApp({}, { engine: 'postgres' });
    const end = 'select pg_terminate_backend(pg_backend_pid(), 5000)'; // Waits for the end for up to 5,000 ms.
    await expect(runInTransaction(app.service.database, end)).rejects.toThrow(ConnectionError);
    // Connections can end just when the pool gives them away: here three, one after another.
    let endingCount = 3;
    app.service.database.pool?.on('acquire', (client) => void (endingCount-- > 0 && client.end()));
    expect(await addPets(app.service.database, [{ name: 'unsent', categoryId: 1 }])).toHaveLength(1);
    endingCount = 3;
    expect((await app.request('/pets')).status).toBe(200);
    await app.run(END_CONNECTIONS);
    expect((await app.request('/pets')).status).toBe(200);
  });

  test.each(['one host', 'two hosts'])(
    'when the primary of %s accepts no further connection, the open ones are used, also after a refused write, and a start that gets no response can be repeated',
    async (hosts) => {
      await using standby = hosts === 'two hosts' ? await postgres.startStandby() : undefined;
      await using proxy = await startPostgresProxy(postgres);
      const DATABASE_URL = standby?.url.replace('@', `@${new URL(proxy.origin).host},`) ?? proxy.url;
      await using database = await openDatabase(readConfig({ DATABASE_URL }));
      proxy.aim('http://127.0.0.1:1'); // No server listens there.
      // After a refused write the host is probed, because it could be a standby.
      const refused = runInTransaction(database, 'set transaction read only; create table refused ()');
      await expect(refused).rejects.toThrow('read-only');
      await database.db.transaction().execute(async (transaction) => {
        await expect(findPet(database.db, 1)).rejects.toThrow(ConnectionError);
        await expect(findPet(transaction, 1)).resolves.toBeUndefined();
      });
      await expect(findPet(database.db, 1)).resolves.toBeUndefined();
      proxy.hold();
      await expect(database.open('expect')).rejects.toMatchObject({ isTransient: true });
      proxy.release();
      proxy.aim(postgres.url);
      await expect.poll(() => database.open('expect').catch(() => 'later')).toEqual([]);
    },
  );

  test('a connection without a response affects no other connection', async () => {
    await using app = await startApp({ DATABASE_URL: postgres.url, DATABASE_STATEMENT_TIMEOUT_MS: '1500' });
    const silent = app.db.transaction().execute(async (transaction) => {
      const [row] = await runSql({ db: transaction }, 'select pg_backend_pid() as pid');
      process.kill(Number(row?.pid), 'SIGSTOP');
      await runSql({ db: transaction }, 'select').finally(() => process.kill(Number(row?.pid), 'SIGCONT'));
    });
    const failing = expect(silent).rejects.toThrow(ConnectionError);
    const hasFailed = failing.then(() => true);
    const read = async () => expect((await app.request('/pets')).status).toBe(200);
    while (!(await Promise.race([hasFailed, sleep(10, false)]))) await read();
    await read();
  });

  test('a connection that PostgreSQL ends with FATAL is not given to a waiting creation', async () => {
    // With a key in the database, the look-up of the key would wait instead of the creation.
    const environment = { DATABASE_URL: postgres.url, API_KEYS: FIXED_KEY, DATABASE_POOL_SIZE: '1' };
    await using app = await startApp(environment, { apiKey: FIXED_KEY });
    await configure(postgres.query, 'transaction_timeout = 500');
    onTestFinished(() => configure(postgres.query, 'transaction_timeout = 0'));
    const ended = app.db.selectNoFrom(sql`pg_sleep(60)`.as('slept')).execute();
    const waiting = app.request('/pets', creation());
    await expect(ended).rejects.toThrow('transaction timeout');
    expect((await waiting).status).toBe(201);
  });

  test('while PostgreSQL allows only reads, creations get 503 and reads 200; once the server behind a pooler is a standby, all get 503', async () => {
    await using app = await startApp({}, { engine: 'postgres' });
    await configure(app.run, 'search_path = public, pg_catalog');
    await configure(app.run, 'default_transaction_read_only = on');
    // A refused write must not close the connections of reads, which one round might not show.
    for (let round = 0; round < 20; round += 1) {
      const requests = [app.request('/pets', creation()), app.request('/pets'), app.request('/pets?limit=1')];
      expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([503, 200, 200]);
    }
    // By the search_path above, this function replaces PostgreSQL's. A real standby would have ended the connections.
    await app.run(`begin read write;
      create function public.pg_is_in_recovery() returns boolean language sql as 'select true'; commit`);
    // A write in the background, such as the last use of a key, may have found the standby already.
    await expect(createKey(app.db, 'refused')).rejects.toThrow(/read-only|standby/);
    expect((await app.request('/pets')).status).toBe(503);
    expect((await app.request('/pets', creation())).status).toBe(503);
  });

  test('requests without a free connection get 503 overloaded, not database_unavailable, and log their wait', async () => {
    const limits = { DATABASE_CONNECT_TIMEOUT_MS: '2000' };
    await using app = await startApp({ DATABASE_POOL_SIZE: '1', ...limits }, { engine: 'postgres' });
    await app.request('/pets');
    const start = performance.now();
    const release = occupyConnection(app);
    const requests = Array.from({ length: 60 }, (_, id) => app.request(`/pets/${id + 1}`));
    const responses = await Promise.all(requests);
    for (const response of responses) expect(await response.json()).toMatchObject({ code: 'overloaded' });
    // The log has at most one error (level 50) for each second that the requests took.
    const seconds = Math.ceil((performance.now() - start) / 1_000);
    const errorCount = app.logLines().filter(({ level }) => level === 50).length;
    expect(errorCount).toSatisfy((count) => count >= 1 && count <= seconds);
    const longestWait = () => Math.max(...app.logLines().map(({ databaseMs }) => Number(databaseMs ?? 0)));
    await expect.poll(longestWait).toBeGreaterThan(1_000);
    await release();
    expect((await app.request('/pets')).status).toBe(200);
  });

  test('PostgreSQL cancels statements that wait too long for a lock, and their connections are free again', async () => {
    const limits = { DATABASE_POOL_SIZE: '2', DATABASE_STATEMENT_TIMEOUT_MS: '500' };
    await using app = await startApp(limits, { engine: 'postgres' });
    await using migration = await connectPostgres(app.url);
    const findWaiting = async () =>
      (await migration.query(`select from pg_locks where relation = 'pets'::regclass and not granted`)).rows;
    const lock = `select pg_advisory_xact_lock(${locks.write})`;
    await migration.query(`begin; lock table pets in access exclusive mode; ${lock}`);

    const responses = await Promise.all([1, 2, 3].map((limit) => app.request(`/pets?limit=${limit}`)));
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
    // If not cancelled, the statements would hold their connections until the lock is released.
    await expect.poll(findWaiting).toEqual([]);
    const { db, pool } = app.service.database;
    await expect(createKey(db, 'refused')).rejects.toThrow('lock timeout');
    expect(pool?.idleCount).toBe(pool?.totalCount);
    await migration.end();
    await expect.poll(async () => (await app.request('/pets')).status).toBe(200);
  });

  test('only writes that need a row locked by another program fail, and a rotation and a new rate limit wait until the row is unlocked', async () => {
    await using app = await startApp({}, { engine: 'postgres' });
    const add = async (key: string) =>
      (await app.request('/pets', creation('a', { 'idempotency-key': key }))).status;
    expect(await add('repeated')).toBe(201);
    await using other = await connectPostgres(app.url);
    await other.query('begin; select from idempotency_records for update; select from api_keys for update');
    const { db, classify } = app.service.database;
    const start = performance.now();
    const revoking = revokeKeysOf(db, 'test').catch(classify);
    expect(await Promise.all(['one', 'repeated', 'two', 'three'].map(add))).toEqual([201, 503, 201, 201]);
    expect(await revoking).toBe('blocked');
    expect(performance.now() - start).toBeLessThan(QUICKLY_MS);
    // The write of the rate limit waits for 100 ms at a time, and is retried. The rotation, a transaction, waits longer.
    const unlocking = other.query('select pg_sleep(0.3); rollback');
    await Promise.all([setRateLimit(db, 'test'), rotateKey(db, 'test', { graceMs: 60_000 }), unlocking]);
    expect(await add('repeated')).toBe(201);
    expect(app.logLines().find(({ status }) => status === 503)?.code).toBe('database_unavailable');
  });

  test('connections use TCP keep-alive, a statement removes its listeners, and a pool that gives up its server closes its connections', async () => {
    await using temporary = await temporaryDatabase('postgres');
    using keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
    const pool = new PrimaryPool(hostConfigs(temporary), { idleTimeoutMillis: 0 });
    const client = await pool.connect();
    // Otherwise a firewall may forget an idle connection unnoticed.
    expect(keepAlive).toHaveBeenCalledWith(true, 30_000);
    const countListeners = () => ['error', 'notice'].map((event) => client.listenerCount(event));
    client.release();
    const before = countListeners();
    await execute(pool, { text: 'select', commits: true });
    expect(countListeners()).toEqual(before);
    expect(pool.totalCount).toBe(1);
    pool.giveUp(new ConnectionError('standby'));
    await expect.poll(() => pool.totalCount).toBe(0);
    // `pool.end` waits up to a second for its sockets to close. The closed sockets must not be among them.
    const ended = pool.end().then(() => 'ended');
    expect(await Promise.race([ended, sleep(900, 'late', { ref: false })])).toBe('ended');
  });
});
