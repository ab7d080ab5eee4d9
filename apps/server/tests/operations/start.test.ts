import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { listen } from '@petstore/test-support/servers/listen';
import { runCli, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { failureOf } from '#support/commands';
import { open, openTemporaryDatabase, runSql } from '#support/database';
import { migrations } from '../../src/database/migrations/index.ts';
import { createFirstKey, revokeKeysOf } from '../../src/keys/manage.ts';
import { version } from '../../src/process/version.ts';

test('a start in production issues no key', async () => {
  const environment = { API_KEYS: '', NODE_ENV: 'production', DATABASE_URL: 'sqlite:data/petstore.db' };
  await using production = await startServer(environment);
  await production.stop();
  expect(production.output()).not.toContain('pst_');
  expect(production.output()).toContain('There is no API key yet');
});

test('petstore --version tells the version, and its start uses the compile cache of an earlier start', async () => {
  expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const environment = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { stdout, stderr } = await runCli(['--version'], environment);
  expect(stdout + stderr).toMatch(/cache for ESM file:\S+\/dist\/program\.js was accepted/);
});

test('a start with a wrong configuration exits with EX_CONFIG of sysexits.h, because a restart repairs nothing', async () => {
  const line = await failureOf(['serve'], { PORT: '70000' }, { exitCode: 78 });
  expect(line).toMatch(/^PORT: /);
});

test.each(['PORT', 'ADMIN_PORT'])(
  'a start says in one line that the port of %s is in use',
  async (variable) => {
    await using folder = await temporaryFolder();
    await using holder = await listen(createServer());
    const environment = { PORT: '0', [variable]: new URL(holder.origin).port };
    const line = await failureOf(['serve'], environment, { cwd: folder.path });
    expect(line).toMatch(new RegExp(`^${variable}: .* is in use`));
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

test('four simultaneous first starts make one file for its owner only, and issue one key with curl commands that work', async () => {
  await using database = await temporaryDatabase('sqlite');
  const environment = { DATABASE_URL: database.url, API_KEYS: '' };
  await using stack = new AsyncDisposableStack();
  const starts = Array.from({ length: 4 }, async () => stack.use(await startServer(environment)));
  const servers = await Promise.all(starts);
  const issued = () => servers.flatMap((server) => [...new Set(server.output().match(/pst_\w+/g))]);
  await expect.poll(issued).toHaveLength(1);
  const [key = ''] = issued();
  for (const server of servers) {
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    expect((await fetchWithKey(server.baseUrl, key)('/pets')).status).toBe(200);
  }
  const first = servers.find((server) => server.output().includes(key)) ?? expect.fail();
  await expect.poll(() => first.output()).toContain('/pets/1');
  const curls = first.output().match(/^.*curl .*$/gm) ?? [];
  // The output begins with the status line, such as HTTP/1.1 200 OK.
  const statuses = curls.map(
    (line) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout.split(' ')[1],
  );
  expect(statuses).toEqual(['200', '201', '200']);
  expect(statSync(database.url.slice('sqlite:'.length)).mode & 0o077).toBe(0);

  const ends = await Promise.all(servers.map((server) => server.stop()));
  expect(ends).toEqual(servers.map(() => ({ code: 0, signal: null })));
  expect(issued()).toEqual([key]);

  await using opened = await open(database.url);
  const applied = await runSql(opened, 'select name from kysely_migration order by name');
  expect(applied).toEqual(Object.keys(migrations).map((name) => ({ name })));
});

test.each(engines)('over %s, simultaneous first starts issue one key, later ones none', async (engine) => {
  await using temporary = await openTemporaryDatabase(engine);
  await using other = await open(temporary.url);
  const keys = await Promise.all([temporary.database, other].map(({ db }) => createFirstKey(db)));
  expect(keys).toEqual(expect.arrayContaining([undefined, expect.stringMatching(/^pst_/)]));
  await revokeKeysOf(other.db, 'first');
  expect(await createFirstKey(other.db)).toBeUndefined();
});
