import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '@petstore/test-support/databases/postgres-server';
import { seedPostgres } from '../data/seed.ts';
import { petstore, ServerUnderTest } from './server-under-test.ts';
import type { ServicePlace, SoakService } from './service.ts';

/** Small, so that an hour shows whether the log stays within it. PostgreSQL's default is 1 GB. */
const MAX_WAL_MB = 128;

/** The service on a PostgreSQL with a synchronous standby, which takes over in the failover. Both are on the disk. */
export async function startPostgresService({ disk, pets, file, log }: ServicePlace): Promise<SoakService> {
  await using starting = new AsyncDisposableStack();
  const primary = starting.use(await startPostgres({ fsync: true, parent: disk }));
  await primary.query(`alter system set max_wal_size = '${MAX_WAL_MB}MB'`);
  await primary.query('create database petstore');
  const standby = starting.use(await primary.startStandby());
  await primary.query(`alter system set synchronous_standby_names = '*'`);
  for (const postgres of [primary, standby]) await postgres.query('select pg_reload_conf()');
  let present: PostgresServer = primary;
  const databaseUrl = () => petstoreOn(present).href;
  const apiKey = await seedPostgres(databaseUrl(), pets);
  const both = petstoreOn(primary);
  const server = starting.use(
    await ServerUnderTest.start(
      log,
      both.href.replace(both.host, `${both.host},${petstoreOn(standby).host}`),
    ),
  );
  const all = starting.move();
  return {
    server,
    apiKey,
    databaseUrl,
    async backUp() {
      const backup = file('backup.db');
      await petstore(databaseUrl(), 'copy', '--from', databaseUrl(), '--to', `sqlite:${backup}`);
      return backup;
    },
    async restore(backup) {
      await present.query('alter database petstore rename to petstore_before');
      await present.query('create database petstore');
      await petstore(databaseUrl(), 'copy', '--from', `sqlite:${backup}`, '--to', databaseUrl());
      await present.query('drop database petstore_before');
    },
    async failOver() {
      await primary.kill();
      await standby.promote();
      present = standby;
    },
    recover: () => startAgain(present),
    async measureDisk() {
      const [row] = await present.query(
        `select pg_database_size('petstore') as database, (select sum(size) from pg_ls_waldir()) as log`,
      );
      return { database: Number(row?.database), writeAheadLog: Number(row?.log) };
    },
    // The log may exceed its size while a checkpoint is under way.
    writeAheadLogLimit: 2 * MAX_WAL_MB * 2 ** 20,
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}

function petstoreOn({ url }: PostgresServer): URL {
  const petstoreUrl = new URL(url);
  petstoreUrl.pathname = '/petstore';
  return petstoreUrl;
}

/** PostgreSQL ends when it cannot write its log, and has to be started once there is room. */
async function startAgain(postgres: PostgresServer): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await isUp(postgres)) return;
    await sleep(500);
  }
  await postgres.start();
}

const isUp = (postgres: PostgresServer) =>
  postgres.query('select 1').then(
    () => true,
    () => false,
  );
