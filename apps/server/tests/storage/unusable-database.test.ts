import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { engines, runSqlite, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { CLI } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, test } from 'vitest';
import { addPets, migratedDatabase, open, openRelease } from '#support/database';
import type { SchemaAccess } from '../../src/database/database.ts';
import { DatabaseFault } from '../../src/database/database-fault.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { APPLICATION_ID } from '../../src/database/tables.ts';

/** Opens a database, which must fail with one line. */
async function expectOneLine(url: string, reason: RegExp, accesses: SchemaAccess[] = ['migrate', 'expect']) {
  for (const access of accesses) {
    const error: unknown = await open(url, access).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatabaseFault);
    expect(String(error)).toMatch(/^Error: [^\n]+$/);
    expect(String(error)).toMatch(reason);
    // Only backup and restore report damage, and no message has the password `secret`.
    expect(String(error)).not.toMatch(/damaged|secret/);
  }
}

describe('a SQLite file cannot be opened', () => {
  test('while another process has locked it, but may be opened later', async () => {
    await using database = await migratedDatabase('sqlite');
    const other = new BetterSqlite3(database.url.slice('sqlite:'.length));
    other.pragma('locking_mode = exclusive');
    other.pragma('user_version = 1');
    const message = expect.stringMatching(/petstore\.db: database is locked$/);
    await expect(open(database.url)).rejects.toMatchObject({ message, isTransient: true });
    other.close();
  });

  test.each([
    ['it may have one block at most', 1, false],
    ['it must stay empty, as on a full disk', 0, false],
    ['it is a backup whose `-shm` would not fit on the disk', 32, true],
  ])('when %s', async (_why, blocks, isBackup) => {
    await using database = await (isBackup ? migratedDatabase : temporaryDatabase)('sqlite');
    if (isBackup) await database.run('pragma journal_mode = delete');
    const command = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, CLI, 'migrate'];
    const ended = spawnSync('sh', command, { env: { DATABASE_URL: database.url }, encoding: 'utf8' });
    const line = /^petstore: DATABASE_URL: cannot open [^\n]+petstore\.db: [^\n]+\n$/;
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(line) });
  });

  test('when it is a folder, or its path leads nowhere', async () => {
    await using folder = await temporaryFolder();
    const expectAt = (path: string, reason: RegExp) => expectOneLine(`sqlite:${folder.file(path)}`, reason);
    mkdirSync(folder.file('folder'));
    await expectAt('folder', /folder: (?:EISDIR|unable to open)/);
    writeFileSync(folder.file('file'), '');
    await expectAt('file/petstore.db', /petstore\.db: (?:ENOTDIR|EEXIST|petstore migrate)/);
    symlinkSync('loop', folder.file('loop'));
    await expectAt('loop', /loop: ELOOP/);
  });

  test.each([
    ['it is a text file', (file: string) => writeFileSync(file, 'Dear diary')],
    ['pages were overwritten', (file: string) => writeFileSync(file, readFileSync(file).fill(0xa5, 4096))],
    [
      'it is the database of another program',
      (file: string) => runSqlite(file, 'pragma application_id = 1; create table notes (text)'),
    ],
  ])('when %s, and the file stays unchanged', async (_why, change) => {
    await using database = await migratedDatabase('sqlite');
    const file = database.url.slice('sqlite:'.length);
    change(file);
    const before = readFileSync(file);
    await expect(open(database.url)).rejects.toThrow(file);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

test('a SQLite file that a killed start left incomplete can be used, and so can a file behind a link', async () => {
  await using folder = await temporaryFolder();
  const connection = new BetterSqlite3(folder.file('killed.db'));
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  // A transaction larger than the cache changes the file before its commit, and saves the old pages in the journal.
  connection.pragma('cache_size = 1');
  connection.exec('begin; create table half (filling); insert into half values (zeroblob(100000))');
  mkdirSync(folder.file('data of Ñandú'));
  for (const suffix of ['', '-journal'])
    copyFileSync(folder.file(`killed.db${suffix}`), folder.file(`data of Ñandú/petstore 1.db${suffix}`));
  connection.close();
  symlinkSync('data of Ñandú/petstore 1.db', folder.file('link'));
  for (const access of ['migrate', 'expect'] as const) {
    await using database = await open(`sqlite:${folder.file('link')}`, access);
    expect(await addPets(database, [{ name: 'a', categoryId: 1 }])).toHaveLength(1);
  }
});

test.each(engines)(
  'over %s, a command that may not change the schema says in one line that the tables are missing, and makes none',
  async (engine) => {
    await using database = await temporaryDatabase(engine);
    await expectOneLine(database.url, /petstore migrate creates/, ['expect']);
    expect(await database.dump()).toEqual([]);
  },
);

describe.runIf(engines.includes('postgres'))('a PostgreSQL database cannot be opened', () => {
  test('when its version is older than 14, or its encoding lacks some characters', async () => {
    await using database = await temporaryDatabase('postgres', { encoding: 'LATIN1' });
    const claimVersion = (version: number) =>
      database.run(`create or replace function pg_catalog.current_setting(text) returns text language sql as
        $$ select case $1 when 'server_version_num' then '${version}' else getdatabaseencoding() end $$`);
    await claimVersion(139_999);
    await expectOneLine(database.url, /the server is PostgreSQL 13: it must be 14 or newer/);
    await claimVersion(140_000);
    await expectOneLine(database.url, /has a database in the encoding LATIN1: it must be UTF8/);
    const opening = openRelease('postgres', database.url, { migrations });
    await expect(opening).rejects.toMatchObject({ isTransient: false });
  });

  test('when no table can be created, or new tables would hide those of another schema', async () => {
    await using database = await migratedDatabase('postgres');
    // By itself, Kysely would use the tables in `other`. One is missing, as if an older release had made them.
    await database.run('drop table api_keys; alter schema public rename to other; create schema mine');
    await expectOneLine(database.url, /the search_path has no schema that exists and/, ['migrate']);
    await expectOneLine(`${database.url}?options=-c search_path=mine,other`, /a schema before other/);
  });

  test('while it ends connections or its disk is full, but may be opened later', async () => {
    await using database = await temporaryDatabase('postgres');
    const endConnection: Migration['up'] = async (db) => {
      // Until node-postgres has noticed the end, it reports other errors.
      const end = () => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).catch(String);
      await expect.poll(end).toMatch(/not queryable/);
    };
    const fillDisk: Migration['up'] = async (db) =>
      void (await sql`do $$ begin raise using errcode = 'disk_full'; end $$`.execute(db));
    for (const up of [endConnection, fillDisk]) {
      const opening = openRelease('postgres', database.url, { migrations: { '001-failing': { up } } });
      await expect(opening).rejects.toMatchObject({ isTransient: true });
    }
  });

  test('when it is not reachable, or a certificate file in DATABASE_URL is missing', async () => {
    const url = 'postgres://me:secret@127.0.0.1:1/none';
    await expectOneLine(url, /127\.0\.0\.1:1/);
    await expectOneLine(`${url}?sslmode=verify-full&sslrootcert=/none`, /ENOENT.*\/none/);
  });
});
