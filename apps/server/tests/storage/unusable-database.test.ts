import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { CLI, runCli, startServer } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { failureOf } from '#support/commands';
import { migrate } from '#support/database';

const SERVE = ['serve'];
const LIST = ['keys', 'list'];

/**
 * Runs commands at once on a database that they cannot use.
 * @param commands by default two, because all but `serve` open their database in the same way
 */
async function expectOneLine(url: string, reason: RegExp, commands = [SERVE, LIST]) {
  const environment = { DATABASE_URL: url, PORT: '0' };
  for (const line of await Promise.all(commands.map((command) => failureOf(command, environment)))) {
    expect(line).toMatch(/^DATABASE_URL: /);
    expect(line).toMatch(reason);
    expect(line).not.toMatch(/damaged|secret/);
  }
}

describe('every command fails with one line', () => {
  // The next two tests wait for the lock for five seconds, at the same time.
  test.concurrent('that writes, when another process holds the lock of the SQLite file', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('petstore.db');
    await migrate(`sqlite:${file}`);
    const other = new BetterSqlite3(file);
    other.exec('begin immediate');
    const environment = { DATABASE_URL: `sqlite:${file}` };
    expect(await runCli(['keys', 'create', '--name', 'shop'], environment)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^pst_\w+\n$/),
      stderr: expect.stringMatching(
        /^petstore: DATABASE_URL: .*unavailable: .*(?:locked|in time).*; the key may be valid all the same.*\n$/,
      ),
    });
    expect(await runCli(LIST, environment)).toMatchObject({ code: 0, stderr: '' });
    other.close();
  });

  test.concurrent('when another process has locked the SQLite file exclusively', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('petstore.db');
    await migrate(`sqlite:${file}`);
    const other = new BetterSqlite3(file);
    other.pragma('locking_mode = exclusive');
    other.pragma('user_version = 1');
    await expectOneLine(`sqlite:${file}`, /petstore\.db: database is locked/);
    other.close();
  });

  test.each([
    ['when the SQLite file may have one block at most', 1],
    ['when the SQLite file must stay empty, as on a full disk', 0],
  ])('%s', async (_why, blocks) => {
    await using folder = await temporaryFolder();
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, CLI, 'migrate'],
      { env: { DATABASE_URL: `sqlite:${folder.file('petstore.db')}` }, encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^petstore: DATABASE_URL: cannot open [^\n]+petstore\.db: [^\n]+\n$/);
  });

  test('when the SQLite file is a folder, or in a path that is not a folder', async () => {
    await using folder = await temporaryFolder();
    mkdirSync(folder.file('folder'));
    await expectOneLine(`sqlite:${folder.file('folder')}`, /folder: (?:EISDIR|unable to open)/);
    writeFileSync(folder.file('file'), '');
    await expectOneLine(
      `sqlite:${folder.file('file/petstore.db')}`,
      /petstore\.db: (?:ENOTDIR|EEXIST|petstore migrate)/,
    );
    symlinkSync('loop', folder.file('loop'));
    await expectOneLine(`sqlite:${folder.file('loop')}`, /loop: (?:ELOOP|petstore migrate)/);
  });
});

describe.each(engines)(
  'over %s, a command that may not change the schema says in one line what is missing',
  (engine) => {
    const commands = [LIST, ['keys', 'revoke', 'shop'], ['keys', 'rotate', 'shop']];

    test('when the database has no tables, and makes none', async () => {
      await using database = await temporaryDatabase(engine);
      await expectOneLine(database.url, /petstore migrate creates/, commands);
      const copy = ['copy', '--from', database.url, '--to', database.url.replace('petstore', 'other')];
      const advice = { sqlite: 'there is no database', postgres: 'petstore migrate creates' };
      expect(await failureOf(copy, {})).toContain(advice[engine]);
      expect(await database.dump()).toEqual([]);
      const { code } = await runCli(['keys', 'create', '--name', 'shop'], { DATABASE_URL: database.url });
      expect(code).toBe(0);
    });
  },
);

test('a server uses a SQLite file behind a symbolic link, with spaces and non-ASCII letters in its path', async () => {
  await using folder = await temporaryFolder();
  mkdirSync(folder.file('data of Ñandú'));
  symlinkSync('data of Ñandú/petstore 1.db', folder.file('link'));
  for (let start = 0; start < 2; start += 1) {
    await using server = await startServer({ DATABASE_URL: 'sqlite:link' }, { cwd: folder.path });
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    await server.stop('SIGKILL');
  }
});

describe.runIf(engines.includes('postgres'))('every command fails with one line', () => {
  test.each(['LATIN1', 'SQL_ASCII'])(
    'when the encoding of the PostgreSQL database is %s',
    async (encoding) => {
      await using database = await temporaryDatabase('postgres', { encoding });
      await expectOneLine(
        database.url,
        new RegExp(`has a database in the encoding ${encoding}: it must be UTF8`),
      );
    },
  );

  test('when a certificate file in DATABASE_URL is missing', async () => {
    await expectOneLine(
      'postgres://127.0.0.1:1/none?sslmode=verify-full&sslrootcert=/none',
      /ENOENT.*\/none/,
    );
  });

  test('when no table can be created', async () => {
    await using database = await temporaryDatabase('postgres');
    await database.run('drop schema public');
    await expectOneLine(database.url, /no schema has been selected to create in/, [SERVE, ['migrate']]);
  });

  test('when PostgreSQL is not reachable, unless the command is serve', async () => {
    const commands = [LIST, ['migrate'], ['keys', 'create', '--name', 'shop']];
    await expectOneLine('postgres://me:secret@127.0.0.1:1/none', /127\.0\.0\.1:1/, commands);
  });
});
