import {
  type Engine,
  engines,
  type TemporaryDatabase,
  temporaryDatabase,
} from '@petstore/test-support/databases/databases';
import { runCli } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { failureOf } from '#support/commands';
import { migrate } from '#support/database';

const RECORD = `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255));
  insert into kysely_migration values ('001-initial', '2020-01-01T00:00:00.000Z')`;

/** SQL of databases that no release has made, and the reason in the error message. */
const histories = {
  'another 001-initial': [`${RECORD}; create table pets (id integer primary key, owner text)`, /pets\.name/],
  'records without tables': [RECORD, /pets\.id is missing/],
  'a foreign table pets': ['create table pets (id integer primary key, color text)', /pets\.id is there/],
  'records of another program': [RECORD.replace('001-initial', 'init'), /records init, but not 001-initial/],
} as const;

/** Changes of a database of this release, and the reason in the error message. */
const changes = {
  'a table that was dropped': ['drop table api_keys', /api_keys\.hash is missing/],
  'a column that was renamed': ['alter table pets rename column name to title', /pets\.name is missing/],
  'lost records': ['delete from kysely_migration', /pets\.id is there, but 001-initial is not recorded/],
} as const;

/** Runs a command, which must fail with one line and leave the database as it is. */
async function expectRefusal(
  command: string[],
  database: TemporaryDatabase,
  reason: RegExp,
  url = database.url,
) {
  const before = await database.dump();
  const line = await failureOf(command, { DATABASE_URL: url, PORT: '0' });
  expect(line).toContain('unknown history');
  expect(line).toMatch(reason);
  expect(await database.dump()).toEqual(before);
}

/** SQL of the application id, without which a SQLite file belongs to another program. */
const markOf = (engine: Engine) => (engine === 'sqlite' ? `pragma application_id = ${0x50455453}; ` : '');

describe.each(engines)('over %s', (engine) => {
  test.each(Object.entries(histories))(
    'a migration refuses a database with %s',
    async (_what, [sql, reason]) => {
      await using database = await temporaryDatabase(engine);
      await database.run(markOf(engine) + sql);
      await expectRefusal(['migrate'], database, reason);
    },
  );

  test.each(Object.entries(changes))('a start refuses a database with %s', async (_what, [sql, reason]) => {
    await using database = await temporaryDatabase(engine);
    await migrate(database.url);
    await database.run(sql);
    await expectRefusal(['serve'], database, reason);
  });

  test('every command refuses a required column that this release does not know', async () => {
    await using database = await temporaryDatabase(engine);
    await database.run(
      `${markOf(engine)}${RECORD}; create table pets (id integer primary key, name text, category_id integer,
         status text, created_at integer, created_by text, color text not null);
       create table idempotency_records (fingerprint integer, pet_id integer, key text, created_at integer);
       create table api_keys (hash text, name text, scope text, rate_limit text, created_at integer, ends_at integer,
         last_used_at integer)`,
    );
    const { url } = database;
    const reason = /pets\.color is unknown, and has no default/;
    const commands = [['serve'], ['migrate'], ['keys', 'list'], ['keys', 'create', '--name', 'shop']];
    for (const command of commands) await expectRefusal(command, database, reason);
    await expectRefusal(['copy', '--from', url, '--to', url.replace('petstore', 'other')], database, reason);
    if (engine !== 'sqlite') return;
    const file = url.slice('sqlite:'.length);
    await expectRefusal(['backup', `${file}.backup`], database, reason);
    await expectRefusal(['restore', file], database, reason, `${url}.restored`);
  });

  test.each([
    [
      'an empty table of records',
      'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))',
    ],
    ['a table of another program', 'create table notes (note text not null)'],
  ])('petstore migrate accepts %s, and says what it applied', async (_what, sql) => {
    await using database = await temporaryDatabase(engine);
    await database.run(markOf(engine) + sql);
    const environment = { DATABASE_URL: database.url };
    const stdout = expect.stringMatching(
      /^Applied 001-initial\.\n(?:Applied .*\.\n)*The schema is up to date\.\n$/,
    );
    expect(await runCli(['migrate'], environment)).toMatchObject({ code: 0, stdout, stderr: '' });
    expect((await runCli(['migrate'], environment)).stdout).toBe('The schema is up to date.\n');
  });
});
