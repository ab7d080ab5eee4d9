import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { engines } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { listen } from '@petstore/test-support/servers/listen';
import { runCli, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { failureOf } from '#support/commands';
import { open, openTemporaryDatabase } from '#support/database';
import { createFirstKey, revokeKeysOf } from '../../src/keys/manage.ts';
import { version } from '../../src/process/version.ts';

test('a server in production issues no key, and has its OpenAPI document even when the next release has taken its folder', async () => {
  await using folder = await temporaryFolder();
  const filter = (name: string) => !/\/(compile-cache|data|reports|\.[^/]*)$/.test(name);
  cpSync(new URL('../..', import.meta.url), folder.file('app'), { recursive: true, filter });
  // Production has no default for the database.
  const environment = { API_KEYS: '', NODE_ENV: 'production', DATABASE_URL: 'sqlite:petstore.db' };
  await using server = await startServer(environment, { command: [folder.file('app/dist/cli.js'), 'serve'] });
  renameSync(folder.file('app'), folder.file('previous'));
  expect((await fetch(`${server.origin}/openapi.json`)).status).toBe(200);
  await server.stop();
  expect(server.output()).not.toContain('pst_');
  expect(server.output()).toContain('There is no API key yet');
});

test('petstore --version prints the version, and uses the compile cache of an earlier start', async () => {
  expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const { stdout, stderr } = await runCli(['--version'], { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
  expect(stdout + stderr).toMatch(/cache for ESM file:\S+\/dist\/program\.js was accepted/);
});

test('a start with a wrong configuration names each wrong variable in a line, and exits with EX_CONFIG of sysexits.h, because a restart repairs nothing', async () => {
  const environment = { HOST: 'two names', PORT: '70000', DOCS: 'no' };
  const stderr = expect.stringMatching(/^petstore: HOST: .+\npetstore: PORT: .+\npetstore: DOCS: .+\n$/);
  expect(await runCli(['serve'], environment)).toEqual({ code: 78, stdout: '', stderr });
});

test.each(['PORT', 'ADMIN_PORT'])(
  'a start says in one line that the port of %s is in use, and creates no database',
  async (variable) => {
    await using folder = await temporaryFolder();
    await using holder = await listen(createServer());
    const environment = { PORT: '0', [variable]: new URL(holder.origin).port };
    const line = await failureOf(['serve'], environment, { cwd: folder.path });
    expect(line).toMatch(new RegExp(`^${variable}: .* is in use`));
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

test('four simultaneous first starts make one file and its folder for their owner only, and issue one key with curl commands that work', async () => {
  await using folder = await temporaryFolder();
  const environment = { DATABASE_URL: `sqlite:${folder.file('data/petstore.db')}`, API_KEYS: '' };
  await using stack = new AsyncDisposableStack();
  const starts = Array.from({ length: 4 }, async () => stack.use(await startServer(environment)));
  const servers = await Promise.all(starts);
  const outputs = () => servers.map((server) => server.output()).join('');
  const issuedKeys = () => new Set(outputs().match(/pst_\w+/g));
  await expect.poll(outputs).toMatch(/curl .*\/pets\/1\n/);
  const [key = ''] = issuedKeys();
  for (const { baseUrl } of servers) expect((await fetchWithKey(baseUrl, key)('/pets')).status).toBe(200);
  const curls = outputs().match(/^.*curl .*$/gm) ?? [];
  // The output begins with the status line, such as HTTP/1.1 200 OK.
  const statusOf = (line: string) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout.split(' ')[1];
  expect(curls.map(statusOf)).toEqual(['200', '201', '200']);
  for (const name of ['data', 'data/petstore.db']) expect(statSync(folder.file(name)).mode & 0o077).toBe(0);

  await Promise.all(servers.map((server) => server.stop()));
  expect(issuedKeys()).toEqual(new Set([key]));
});

test.each(engines)('over %s, simultaneous and later starts issue only one first key', async (engine) => {
  await using temporary = await openTemporaryDatabase(engine);
  await using other = await open(temporary.url);
  const keys = await Promise.all([temporary.database, other].map(({ db }) => createFirstKey(db)));
  expect(keys).toEqual(expect.arrayContaining([undefined, expect.stringMatching(/^pst_/)]));
  await revokeKeysOf(other.db, 'first');
  expect(await createFirstKey(other.db)).toBeUndefined();
});
