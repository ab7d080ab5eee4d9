import { createPetStore } from '@petstore/client';
import { checks } from '@petstore/conformance';
import { type TemporaryDatabase, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { runCli, type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFirstSchema } from '#support/first-schema';
import { runSql } from '#support/sql';
import { readConfig } from '../../src/config.ts';
import { sqliteSyntax } from '../../src/database/sqlite/migrate.ts';
import { migrations } from '../../src/migrations/index.ts';
import { openDatabase } from '../../src/open-database.ts';

const names = Object.keys(migrations(sqliteSyntax));
const newest = names.at(-1) ?? '';

/** Does to the database what a release of the future does at its start, with a change of every table. */
async function migrateToFuture(url: string, { servesSince }: { servesSince: string }): Promise<void> {
  await using database = await openDatabase(readConfig({ DATABASE_URL: url }));
  await database.transact(async (transaction) => {
    for (const statement of [
      'alter table pets add column future text',
      `alter table idempotency_records add column release text default 'future' not null`,
      `alter table api_keys add column team text default 'none' not null`,
      'create index pets_future on pets (future)',
      `insert into kysely_migration values ('999-future', '2099-01-01T00:00:00.000Z')`,
      `insert into schema_compatibility values ('999-future', '${servesSince}')`,
    ]) {
      await runSql(transaction, statement);
    }
  });
}

test('every migration names itself or an earlier one as the oldest that a release must know', () => {
  const all = Object.entries(migrations(sqliteSyntax));
  for (const [index, [name, { servesSince }]] of all.entries()) {
    expect(names.slice(0, index + 1), name).toContain(servesSince);
  }
});

describe.each(engines)('over %s, on a schema of a newer release', (engine) => {
  let database: TemporaryDatabase;
  /** One of the database, which is looked up there. */
  let apiKey: string;

  beforeAll(async () => {
    database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    apiKey = (await runCli(['keys', 'create', '--name', 'test'], environment)).stdout.trim();
  });

  afterAll(() => database[Symbol.asyncDispose]());

  /** Sends requests of each kind, often enough for PostgreSQL to keep a plan of each statement. */
  async function sendEachRequest({ baseUrl }: ServerProcess): Promise<void> {
    const store = createPetStore({ baseUrl, apiKey });
    for (let time = 0; time < 6; time += 1) {
      const pet = await store.createPet({ name: 'Ñandú', categoryId: 7, status: 'sold' });
      expect(await store.getPet(pet.id)).toEqual(pet);
      expect(await store.listPets({ limit: 2 })).not.toEqual([]);
      expect(await store.listPets({ limit: 2, status: 'sold' })).not.toEqual([]);
    }
  }

  /** Runs all conformance checks, and returns what each failed check says. */
  async function failuresOf({ baseUrl }: ServerProcess): Promise<string[]> {
    const failures: string[] = [];
    for (const { name, run } of checks) {
      await run({ baseUrl, apiKey, fetch }).catch((error) => failures.push(`${name}: ${error}`));
    }
    return failures;
  }

  test('a server that runs while the schema changes conforms afterwards', async () => {
    await using server = await startServer({ DATABASE_URL: database.url });
    // Before the change PostgreSQL prepares and plans every statement.
    await sendEachRequest(server);
    await migrateToFuture(database.url, { servesSince: newest });
    expect(await failuresOf(server)).toEqual([]);
  });

  test('a server that can live with the change starts, and its commands work', async () => {
    await using server = await startServer({ DATABASE_URL: database.url });
    await sendEachRequest(server);
    const environment = { DATABASE_URL: database.url };
    for (const command of [['migrate'], ['keys', 'create', '--name', 'shop'], ['keys', 'list']]) {
      expect(await runCli(command, environment)).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('a server that cannot live with the change fails to start, with one line', async () => {
    await using opened = await openDatabase(readConfig({ DATABASE_URL: database.url }));
    await runSql(
      opened,
      `update schema_compatibility set serves_since = '999-future' where migration = '999-future'`,
    );
    const { code, stderr } = await runCli(['serve'], { PORT: '0', DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^petstore: DATABASE_URL: .*newer than this release.*999-future[^\n]*\n$/);
  });
});

test.runIf(engines.includes('postgres'))(
  'a migration that waits for pg_dump holds up no other statement for long, and is applied afterwards',
  async () => {
    await using database = await temporaryDatabase('postgres');
    await createFirstSchema(database.url);
    const [dump, other] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([dump.connect(), other.connect()]);
    // As pg_dump does with every table.
    await dump.query('begin; lock table pets, api_keys, idempotency_keys in access share mode');

    const migrating = runCli(['migrate'], { DATABASE_URL: database.url });
    const waiting = `select count(*)::int as count from pg_locks where relation = 'api_keys'::regclass and not granted`;
    await expect.poll(async () => (await other.query(waiting)).rows).toEqual([{ count: 1 }]);
    await other.query('set statement_timeout = 15000');
    await other.query('select name from api_keys');
    await dump.query('commit');
    expect(await migrating).toMatchObject({ code: 0, stderr: '' });
    await Promise.all([dump.end(), other.end()]);
  },
);

test.runIf(engines.includes('postgres'))(
  'a migration that a deadlock with another program has undone is applied afterwards',
  async () => {
    await using database = await temporaryDatabase('postgres');
    await createFirstSchema(database.url);
    const other = new pg.Client(database.url);
    await other.connect();
    // So that PostgreSQL ends the migration, and not this transaction.
    await other.query(`set deadlock_timeout = '60s'`);
    await other.query('begin; lock table pets in access share mode');

    // Of which half is the time for a lock: longer than PostgreSQL waits before it looks for a deadlock.
    const environment = { DATABASE_URL: database.url, DATABASE_STATEMENT_TIMEOUT_MS: '20000' };
    const migrating = runCli(['migrate'], environment);
    const waiting = `select count(*)::int as count from pg_locks where relation = 'pets'::regclass and not granted`;
    await expect.poll(async () => (await other.query(waiting)).rows).toEqual([{ count: 1 }]);
    await other.query('select name from api_keys');
    await other.query('commit');
    expect(await migrating).toMatchObject({ code: 0, stderr: '' });
    await other.end();
  },
);
