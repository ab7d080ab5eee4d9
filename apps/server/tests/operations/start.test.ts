import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { listen } from '@petstore/test-support/servers/listen';
import { runCli, startServer } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { failureOf, statusWithKey } from '#support/commands';
import { migrate, runSql } from '#support/database';
import { readConfig } from '../../src/process/config.ts';
import { openDatabase } from '../../src/service/open-database.ts';

describe('a first start', () => {
  test('creates a database for its owner only, issues a key, and prints working curl commands', async () => {
    await using folder = await temporaryFolder();
    await using server = await startServer({ API_KEYS: '' }, { cwd: folder.path });
    await expect.poll(() => server.output()).toContain('/pets/1');

    expect(statSync(folder.file('data/petstore.db')).mode & 0o077).toBe(0);
    const curls = server
      .output()
      .split('\n')
      .filter((line) => line.includes('curl '));
    const statuses = curls.map(
      (line) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout.split(' ')[1],
    );
    expect(statuses).toEqual(['200', '201', '200']);
  });

  test('issues no key in production, and none on a later start', async () => {
    await using folder = await temporaryFolder();
    const environment = { API_KEYS: '', NODE_ENV: 'production', DATABASE_URL: 'sqlite:data/petstore.db' };
    const production = await startServer(environment, { cwd: folder.path });
    await production.stop();
    expect(production.output()).not.toContain('pst_');
    const first = await startServer({ API_KEYS: '' }, { cwd: folder.path });
    await expect.poll(() => first.output()).toContain('pst_');
    await first.stop();
    const second = await startServer({ API_KEYS: '' }, { cwd: folder.path });
    await second.stop();
    expect(second.output()).not.toContain('pst_');
  });
});

test('a start uses the compile cache that an earlier process wrote beside the bundle', async () => {
  const environment = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  await runCli(['--version'], environment);
  const { stdout, stderr } = await runCli(['--version'], environment);
  expect(stdout + stderr).toMatch(/cache for ESM file:\S+\/dist\/program\.js was accepted/);
});

describe('a start that fails prints one line', () => {
  test.each([
    [{ PORT: '70000' }, 'PORT', 78],
    [{ DATABASE_URL: 'postgres://me@127.0.0.1:1/none?sslmode=bogus' }, 'DATABASE_URL', 78],
    [{ HOST: '10.0.0.256' }, 'HOST', 78],
    [{ HOST: 'no.such.host.invalid' }, 'HOST', 1],
    [{ DATABASE_URL: 'sqlite:/dev/null/petstore.db' }, 'DATABASE_URL', 1],
  ])('that names the variable, for %o', async (environment, variable, exitCode) => {
    await using folder = await temporaryFolder();
    const variables = { PORT: '0', ...environment };
    const line = await failureOf(['serve'], variables, { exitCode, cwd: folder.path });
    expect(line).toMatch(new RegExp(`^${variable}: `));
  });

  test('for each fault of the configuration', async () => {
    const environment = { PORT: '70000', LOG_LEVEL: 'loud', API_KEYS_FILE: '/none/keys', API_KEYS: '' };
    const { code, stderr } = await runCli(['serve'], environment);
    expect(code).toBe(78);
    const line = (variable: string) => expect.stringMatching(new RegExp(`^petstore: ${variable}: .+$`));
    expect(stderr.trimEnd().split('\n')).toEqual([line('API_KEYS_FILE'), line('PORT'), line('LOG_LEVEL')]);
  });

  test.each(['PORT', 'ADMIN_PORT'])('that says that the port of %s is in use', async (variable) => {
    await using folder = await temporaryFolder();
    await using holder = await listen(createServer());
    const environment = { PORT: '0', [variable]: new URL(holder.origin).port };
    const line = await failureOf(['serve'], environment, { cwd: folder.path });
    expect(line).toMatch(new RegExp(`^${variable}: .* is in use`));
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('a start fails and leaves the file unchanged', () => {
  const pages = (byte: number) => Buffer.alloc(8192, byte);
  const foreign = (file: string) => {
    const connection = new BetterSqlite3(file);
    connection.exec('create table notes (text)');
    connection.close();
  };

  test.each([
    ['when it is a text file', (file: string) => writeFileSync(file, 'Dear diary')],
    ['when it has random bytes', (file: string) => writeFileSync(file, pages(0xa5))],
    ['when it is the SQLite database of another program', foreign],
  ])('%s', async (_what, make) => {
    await using folder = await temporaryFolder();
    await expectRefusal(folder.file('petstore.db'), make);
  });

  test.each([
    ['when pages of the database were overwritten', (bytes: Buffer) => bytes.fill(0xa5, 4096)],
    ['when the database was truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 4096)],
  ])('%s', async (_what, damage) => {
    await using folder = await temporaryFolder();
    const file = folder.file('petstore.db');
    await migrate(`sqlite:${file}`);
    await expectRefusal(file, () => writeFileSync(file, damage(readFileSync(file))));
  });

  async function expectRefusal(file: string, make: (file: string) => void) {
    make(file);
    const before = readFileSync(file);
    const line = await failureOf(['serve'], { PORT: '0', DATABASE_URL: `sqlite:${file}` });
    expect(line).toMatch(/^DATABASE_URL: /);
    expect(line).toContain(file);
    expect(readFileSync(file).equals(before)).toBe(true);
  }
});

describe.each(engines)('over %s', (engine) => {
  test('six simultaneous first starts apply the migrations once and issue one key', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url, API_KEYS: '' };
    await using stack = new AsyncDisposableStack();
    const starts = Array.from({ length: 6 }, async () => stack.use(await startServer(environment)));
    const servers = await Promise.all(starts);
    const issued = () => servers.flatMap((server) => [...new Set(server.output().match(/pst_\w+/g))]);
    await expect.poll(issued).toHaveLength(1);
    const [key] = issued();
    for (const server of servers) {
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
      expect(await statusWithKey(server.baseUrl, `${key}`)).toBe(200);
    }
    const ends = await Promise.all(servers.map((server) => server.stop()));
    expect(ends).toEqual(servers.map(() => ({ code: 0, signal: null })));
    expect(issued()).toEqual([key]);

    await using opened = await openDatabase(readConfig({ DATABASE_URL: database.url }));
    const applied = await runSql(opened, 'select name from kysely_migration order by name');
    const folder = new URL('../../src/database/migrations/', import.meta.url);
    const files = readdirSync(folder).filter((file) => /^\d{3}-.*\.ts$/.test(file));
    expect(applied).toEqual(files.sort().map((file) => ({ name: file.replace('.ts', '') })));
  });
});
