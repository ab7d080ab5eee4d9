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
import { migrations } from '../../src/database/migrations/index.ts';

const RECORD = `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255));
  insert into kysely_migration values ('001-initial', '2020-01-01T00:00:00.000Z')`;

/** SQL of databases that no release has made, and the reason in the error message. */
const histories = {
  'records of all migrations without tables': [
    `${RECORD}; ${Object.keys(migrations)
      .map((name) => `insert into kysely_migration values ('${name}', '') on conflict do nothing`)
      .join(';')}`,
    /the table pets is missing/,
  ],
  'a foreign table pets': [
    'create table pets (id integer primary key, color text)',
    /the table pets is there/,
  ],
  'records of another program': [RECORD.replace('001-initial', 'init'), /records init, but not 001-initial/],
} as const;

/** Changes of a database of this release, and the reason in the error message. */
const changes = {
  'a table that was dropped': ['drop table api_keys', /the table api_keys is missing/],
  'lost records': ['delete from kysely_migration', /the table pets is there, but no migration is recorded/],
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

  test('every command refuses half a restore', async () => {
    await using database = await temporaryDatabase(engine);
    await migrate(database.url);
    await database.run('drop table idempotency_records');
    const { url } = database;
    const reason = /the table idempotency_records is missing/;
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
