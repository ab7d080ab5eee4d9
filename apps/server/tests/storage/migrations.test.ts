import { setTimeout as sleep } from 'node:timers/promises';
import { NewPet, Pets } from '@petstore/contract';
import { engines, LIMIT_TRANSACTIONS, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { connectPostgres } from '@petstore/test-support/databases/postgres-client';
import { startProgram } from '@petstore/test-support/programs';
import { CLI } from '@petstore/test-support/servers/server-process';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, test } from 'vitest';
import { addPets, caller, openRelease, openTemporaryDatabase, runSql } from '#support/database';
import type { Database } from '../../src/database/database.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { locks } from '../../src/database/postgres/transaction.ts';
import { listKeys } from '../../src/keys/repository.ts';
import { CreateQueue } from '../../src/pets/create-queue.ts';
import { listPets } from '../../src/pets/repository.ts';

/** The statements that add pets have columns of these names, too. */
const addColumns: Migration['up'] = async (db) => {
  for (const name of ['key', 'fingerprint', 'pet_id', 'ordinality'])
    await db.schema.alterTable('pets').addColumn(name, 'integer').execute();
};

const addNotes: Migration['up'] = (db) => db.schema.createTable('notes').addColumn('text', 'text').execute();

const dropKeyColumnAndNotes: Migration['up'] = async (db) => {
  expect(await runSql({ db }, 'select name from pets')).toEqual([{ name: 'before' }]);
  await db.schema.alterTable('pets').dropColumn('key').execute();
  await sql`drop table notes`.execute(db);
};

/** Rebuilds the table of pets in the steps of SQLite's documentation, and leaves out the pets with these names. */
const rebuildWithout =
  (...names: string[]): Migration['up'] =>
  async (db) => {
    const [table] = await runSql({ db }, `select sql from sqlite_schema where name = 'pets'`);
    await runSql({ db }, String(table?.sql).replace(/"?pets"?/, 'copied'));
    await sql`insert into copied select * from pets where name not in (${sql.join(names)})`.execute(db);
    await sql`drop table pets`.execute(db);
    await sql`alter table copied rename to pets`.execute(db);
    await sql`create index pets_status_id on pets (status, id)`.execute(db);
  };

/** Adds a pet whose name is its Idempotency-Key. */
async function addWithKey(database: Database, name: string) {
  const queue = new CreateQueue(database, { maxWaiting: 1 });
  return queue.create({ pet: NewPet.parse({ name, categoryId: 1 }), idempotencyKey: name, caller });
}

/** The migrations of this release, and later ones that are named 900-later, 901-later and so on. */
const releaseWith = (...ups: Migration['up'][]) => ({
  ...migrations,
  ...Object.fromEntries(ups.map((up, index) => [`90${index}-later`, { up }])),
});

describe.each(engines)('over %s', (engine) => {
  test('a release migrates once, if its access allows that, and earlier releases serve beside it and start after it', async () => {
    await using temporary = await temporaryDatabase(engine);
    const before = releaseWith(addColumns, addNotes);
    // The name comes before the names of applied migrations, as in a branch that is merged late.
    const after = { ...before, '899-merged-late': { up: dropKeyColumnAndNotes } };
    await using old = await openRelease(engine, temporary.url, { migrations: before });
    const added = await addWithKey(old, 'before');
    expect(await addWithKey(old, 'before')).toEqual({ ...added, outcome: 'replayed' });
    for (const access of ['create', 'expect'] as const) {
      const opening = openRelease(engine, temporary.url, { migrations: after, access });
      await expect(opening).rejects.toThrow(/older release and lacks 899-merged-late: petstore migrate/);
    }

    await using migrated = await openRelease(engine, temporary.url, { migrations: after });

    expect(migrated.applied).toEqual(['899-merged-late']);
    await addPets(old, [{ name: 'beside', categoryId: 1 }]);
    for (const release of [after, before, migrations]) {
      await using again = await openRelease(engine, temporary.url, { migrations: release });
      expect(again.applied).toEqual([]);
      await addPets(again, [{ name: 'again', categoryId: 1 }]);
    }
    const pets = await listPets(migrated.db, { limit: 9 });
    expect(pets.map(({ name }) => name)).toEqual(['before', 'beside', 'again', 'again', 'again']);
  });

  test('a migration that fails leaves the database as it was', async () => {
    await using old = await openTemporaryDatabase(engine);
    let attempt = 0;
    const failing = releaseWith(addColumns, async (db) => {
      attempt += 1;
      // On PostgreSQL the first attempt finds a locked table, so the migration is repeated. Then it fails for good.
      const locked = sql`do $$ begin raise using errcode = '55P03'; end $$`;
      await (engine === 'postgres' && attempt === 1 ? locked : sql`select * from nowhere`).execute(db);
    });
    const opening = openRelease(engine, old.url, { migrations: failing });
    await expect(opening).rejects.toThrow(/^the schema cannot be brought up to date: .*nowhere/);
    const applied = await runSql(old.database, 'select name from kysely_migration order by name');
    expect(applied.map(({ name }) => name)).toEqual(Object.keys(migrations));
    await using again = await openRelease(engine, old.url, { migrations: releaseWith(addColumns) });
    expect(again.applied).toEqual(['900-later']);
  });

  test('migrations keep the pets and keys of the first release, and let it add valid pets, even with only its required columns', async () => {
    await using temporary = await temporaryDatabase(engine);
    const columns = 'name, category_id, status, created_at, created_by';
    const insert = `insert into pets (${columns}) values ('Ñandú', 7, null, 8, 'shop')`;
    const up: Migration['up'] = async (db) => {
      await migrations['001-initial']?.up(db);
      await sql.raw(insert).execute(db);
      await sql`insert into api_keys (hash, name, scope, created_at) values ('a', 'a', 'a', 1)`.execute(db);
    };
    const withPet = { ...migrations, '001-initial': { up } };
    await using latest = await openRelease(engine, temporary.url, { migrations: withPet });
    await temporary.run(`${insert}; insert into pets (name, category_id) values ('Ñandú', 7)`);
    const [before, after] = await runSql(latest, `select ${columns} from pets order by id`);
    expect(before).toEqual(after);
    const pets = await listPets(latest.db, { limit: 4 });
    expect(pets).toHaveLength(3);
    expect(Pets.parse(pets)).toEqual(pets);
    expect(await listKeys(latest.db)).toMatchObject([{ end_reason: null }]);
  });
});

describe('a migration on SQLite that rebuilds a table', () => {
  test('keeps idempotency records, uses no id of a removed pet again, and enforces foreign keys afterwards, even if a record has no pet', async () => {
    await using old = await openTemporaryDatabase('sqlite');
    const first = await addWithKey(old.database, 'first');
    await addWithKey(old.database, 'orphaned');
    await addWithKey(old.database, 'newest');
    await old.run(`pragma foreign_keys = off; delete from pets where id > 1`);
    await using after = await openRelease('sqlite', old.url, {
      migrations: releaseWith(async (db) => {
        // The migration locks the file before it reads. A second server that starts at the same time waits.
        await expect(old.run('pragma busy_timeout = 0; begin immediate')).rejects.toThrow('locked');
        await rebuildWithout()(db);
      }),
    });
    expect(after.applied).toEqual(['900-later']);
    expect(await addWithKey(after, 'first')).toEqual({ ...first, outcome: 'replayed' });
    expect(await addWithKey(after, 'new')).toMatchObject({ outcome: 'created', pet: { id: 4 } });
    const orphan = `insert into idempotency_records (fingerprint, pet_id, key, created_at) values (1, 99, x'00', 0)`;
    await expect(runSql(after, orphan)).rejects.toThrow('FOREIGN KEY');
  });

  test('is refused if it removes a pet to which an idempotency record refers', async () => {
    await using old = await openTemporaryDatabase('sqlite');
    await addWithKey(old.database, 'kept');
    await addWithKey(old.database, 'removed');
    const removing = releaseWith(rebuildWithout('removed'));
    await expect(openRelease('sqlite', old.url, { migrations: removing })).rejects.toThrow(
      'the schema cannot be brought up to date: it would leave 1 rows of idempotency_records without pets',
    );
    expect(await listPets(old.db, { limit: 9 })).toHaveLength(2);
  });
});

describe.runIf(engines.includes('postgres'))('over postgres', () => {
  test('migrations ignore the tables of other programs in another visible schema', async () => {
    await using temporary = await temporaryDatabase('postgres');
    await temporary.run(`create schema mine; create table idempotency_records ();
      create table kysely_migration (name text); create table kysely_migration_lock (id text)`);
    const url = `${temporary.url}?options=-c%20search_path%3Dmine,public`;
    await using opened = await openRelease('postgres', url, { migrations });
    expect(opened.applied).toEqual(Object.keys(migrations));
    expect(await addPets(opened, [{ name: 'a', categoryId: 1 }])).toHaveLength(1);
  });

  test('only one of two servers that start at once migrates, with an idle timeout but no statement timeout, and without the write lock', async () => {
    await using temporary = await temporaryDatabase('postgres');
    let timeouts: unknown;
    const release = releaseWith(async (db) => {
      timeouts = await sql`select current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('statement_timeout') as statement,
        coalesce(current_setting('transaction_timeout', true), '0') as transaction`.execute(db);
      // Every write of a server takes this lock, so a migration must not hold it.
      await temporary.run(`set lock_timeout = 100; select pg_advisory_xact_lock(${locks.write})`);
      await sql`select pg_sleep(0.5)`.execute(db); // Longer than query_timeout and lock_timeout below.
    });
    await temporary.run(LIMIT_TRANSACTIONS);
    // A role or a URL can have these settings. Neither the server that migrates nor the server that waits may apply them.
    const url = new URL(temporary.url);
    const isolation = 'default_transaction_isolation=repeatable\\ read';
    url.search = `query_timeout=100&options=-c lock_timeout=100 -c statement_timeout=9000 -c ${isolation}`;
    const open = () => openRelease('postgres', url.href, { migrations: release });
    const opened = await Promise.all([open(), open()]);
    expect(opened.flatMap(({ applied }) => applied)).toEqual(Object.keys(release));
    expect(timeouts).toMatchObject({ rows: [{ idle: '10s', statement: '0', transaction: '0' }] });
    for (const database of opened) await database[Symbol.asyncDispose]();
  });

  test('a start that waits for the migration of another server ends with code 0 after a signal', async () => {
    await using temporary = await temporaryDatabase('postgres');
    await using other = await connectPostgres(temporary.url);
    await other.query(`select pg_advisory_lock(${locks.migration})`);
    const environment = { PORT: '0', DATABASE_URL: temporary.url };
    const { child, ended } = startProgram([CLI, 'serve'], { environment });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('a start reads tables and migration records of one snapshot, even if another transaction deletes the records meanwhile', async () => {
    await using opened = await openTemporaryDatabase('postgres');
    await using other = await connectPostgres(opened.url);
    await other.query('begin; lock table kysely_migration; delete from kysely_migration');
    const opening = opened.database.open('expect');
    const waiting = `select from pg_locks where relation = 'kysely_migration'::regclass and not granted`;
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
    await other.query('commit');
    expect(await opening, 'applied migrations').toEqual([]);
  });

  test('a migration waits longer than one attempt for a table that pg_dump has locked, and reads run between its attempts', async () => {
    await using old = await openTemporaryDatabase('postgres', { DATABASE_STATEMENT_TIMEOUT_MS: '10000' });
    await using dump = await connectPostgres(old.url);
    await dump.query('begin; lock table pets in access share mode');
    const migrating = openRelease('postgres', old.url, { migrations: releaseWith(addColumns) });
    // An attempt waits for 5 s, and a read at 1 s waits behind it. Two attempts and the pause of 2 s end before 13 s.
    const reading = sleep(1_000).then(() => listPets(old.db, { limit: 1 }));
    await Promise.race([migrating, sleep(13_000)]);
    expect(await reading).toEqual([]);
    await dump.end();
    await (await migrating)[Symbol.asyncDispose]();
  });
});
