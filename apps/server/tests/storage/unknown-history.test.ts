import { type Engine, engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { describe, expect, test } from 'vitest';
import { failureOf, runCommand } from '#support/commands';
import { migrate, migratedDatabase, open } from '#support/database';
import type { SchemaAccess } from '../../src/database/database.ts';
import { migrations } from '../../src/database/migrations/index.ts';

/** SQL that creates Kysely's table of migrations, with a record for each name. */
const createRecords = (...names: string[]) =>
  [
    'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))',
    ...names.map((name) => `insert into kysely_migration values ('${name}', '2020-01-01T00:00:00.000Z')`),
  ].join(';');

const names = Object.keys(migrations);

/** SQL for what a server stores in a SQLite file before any table. The id must be the same in every release. */
const headerOf = (engine: Engine) =>
  engine === 'sqlite' ? 'pragma application_id = 0x50455453; pragma journal_mode = wal; ' : '';

/** Opens a database with these tables, which must fail and leave the database as it is. */
async function expectRefusal(engine: Engine, tables: string, accesses: SchemaAccess[], reason: RegExp) {
  await using database = await temporaryDatabase(engine);
  await database.run(headerOf(engine) + tables);
  const before = await database.dump();
  const message = new RegExp(`unknown history, and was left as it is: ${reason.source}`);
  for (const access of accesses) {
    await expect(open(database.url, access)).rejects.toThrow(message);
    expect(await database.dump()).toEqual(before);
  }
}

describe.each(engines)('over %s', (engine) => {
  test.each([
    ['records of all migrations without tables', createRecords(...names), /the table pets is missing/],
    [
      'a table pets without records, which is partitioned on PostgreSQL',
      `create table pets (id int) ${engine === 'postgres' ? 'partition by hash (id)' : ''}`, // Another relkind.
      /the table pets is there, but no migration/,
    ],
    ['records of another program', createRecords('init'), /it records init, but not 001-initial/],
  ])('every access refuses a database with %s', async (_what, tables, reason) => {
    await expectRefusal(engine, tables, ['migrate', 'create', 'expect'], reason);
  });

  test('a migration refuses an incomplete restore of an older release', async () => {
    // The later migrations can run on these tables, so only the check of the tables can refuse them.
    const records = createRecords(...names.slice(0, 2));
    const restored = 'create table pets (id int); create table api_keys (hash text)';
    const reason = /the table idempotency_records is missing/;
    await expectRefusal(engine, `${records}; ${restored}`, ['migrate'], reason);
  });

  test('a migration accepts an empty table of records, and tables of another program', async () => {
    await using database = await temporaryDatabase(engine);
    await database.run(`${headerOf(engine)}${createRecords()}; create table notes (note text not null)`);
    await migrate(database.url);
    await (await open(database.url, 'expect'))[Symbol.asyncDispose]();
  });
});

test('migrate prints what it did to the database of an older release, and every command refuses an incomplete restore with one line', async () => {
  await using database = await migratedDatabase('sqlite');
  const { url, run } = database;
  const environment = { DATABASE_URL: url, PORT: '0' };
  // Repeating 002-any-status changes nothing on SQLite, so the test need not undo it.
  await run(`delete from kysely_migration where name glob '00[23]*'; alter table api_keys drop end_reason`);
  const stdout = 'Applied 002-any-status.\nApplied 003-key-end-reason.\nThe schema is up to date.\n';
  expect(await runCommand(['migrate'], environment)).toEqual({ code: 0, stdout, stderr: '' });
  expect((await runCommand(['migrate'], environment)).stdout).toBe('The schema is up to date.\n');
  await run('drop table idempotency_records');
  await migrate(`${url}.other`);
  const file = url.slice('sqlite:'.length);
  const commands = ['serve', 'migrate', 'keys list', 'keys create --name shop', `backup ${file}.backup`];
  // One after another: a copy refuses a file that another command has open.
  for (const command of [...commands, `copy --from ${url} --to ${url}.other`])
    expect(await failureOf(command.split(' '), environment)).toContain('unknown history');
  const failure = await failureOf(['restore', file], { DATABASE_URL: `${url}.new` });
  expect(failure).toContain(`${file}: the database has an unknown history`);
});
