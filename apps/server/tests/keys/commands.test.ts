import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { runTool, startProgram } from '@petstore/test-support/programs';
import { CLI, runCli } from '@petstore/test-support/servers/server-process';
import BetterSqlite3 from 'better-sqlite3';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { failureOf, runCommand } from '#support/commands';
import { migrate, openTemporaryDatabase } from '#support/database';
import { issueKey } from '../../src/commands/keys/issue-key.ts';
import { addKeys } from '../../src/commands/keys/keys.ts';
import { generateApiKey } from '../../src/keys/api-key.ts';
import { createKey } from '../../src/keys/manage.ts';
import { listKeys } from '../../src/keys/repository.ts';

const KEY = /^pst_\w+\n$/;

test('the keys commands print keys or a table to standard output, and when a key ends to standard error', async () => {
  await using database = await temporaryDatabase('sqlite');
  const environment = { DATABASE_URL: database.url };
  const keys = (...args: string[]) => runCommand(['keys', ...args], environment);
  const stdout = expect.stringMatching(KEY);
  const settings = ['--scope', 'read', '--expires', '90d', '--rate-limit', '20/10'];

  expect(await runCli(['keys', 'create', '--name', 'shop', ...settings], environment)).toEqual({
    code: 0,
    stdout,
    stderr: expect.stringMatching(/^The key expires at [\dT:-]{16}Z[^\n]*\.\n$/),
  });
  const rotated = await runCli(['keys', 'rotate', 'shop', '--grace', '24h'], environment);
  expect(rotated).toEqual({
    code: 0,
    stdout,
    stderr: expect.stringMatching(
      /^The previous key is refused from [\dT:-]{16}Z[^\n]*\.\nThe key expires at [\dT:-]{16}Z[^\n]*\.\n$/,
    ),
  });
  // The key arrives while the command waits for it, as from a person who types.
  const find = `(sleep 1; echo ${rotated.stdout.trim()}) | "${process.execPath}" "${CLI}" keys find --json`;
  const found = await runTool('sh', ['-c', find], { env: { ...process.env, ...environment } });
  expect(JSON.parse(found)).toMatchObject([{ scope: 'read', state: 'valid', rateLimit: '20/10' }]);
  expect(await keys('update', 'shop', '--rate-limit', 'none')).toMatchObject({ code: 0 });
  expect(await keys('revoke', 'shop')).toMatchObject({ code: 0, stderr: 'Revoked keys of shop: 2\n' });
  expect(await runCli(['keys', 'create', '--name', 'kiosk'], environment)).toMatchObject({ stdout });
  expect((await keys('list')).stdout).toMatch(
    /^NAME .*\n(?:shop {3}read +none +revoked .*\n){2}kiosk {2}write +default +valid .*\n$/,
  );
  const renewed = await runCli(['keys', 'rotate', 'kiosk', '--expires', '90d'], environment);
  expect(renewed.stderr).toMatch(/The key expires at 20/);

  for (const command of [['revoke'], ['update', '--rate-limit', 'none']]) {
    expect(await failureOf(['keys', ...command, 'shop'], environment)).toBe('"shop" has no valid key');
  }
  await failureOf(['keys', 'revoke'], environment, { exitCode: 2 });
  const unknown = startProgram([CLI, 'keys', 'find'], { environment, input: generateApiKey() });
  expect(await unknown.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('another database') });
});

test.each([
  ['create --name two,words', /letters, digits/],
  ['create --name .shop', /begin with a letter or a digit$/],
  ['create --name shop --expires soon', /"soon" is not a duration/],
  ['create --name shop --rate-limit many', /must .+; or none, or default$/],
  ['update shop', /required option '--rate-limit/],
])('keys %s is refused as wrong usage', async (args, reason) => {
  const program = new Command().exitOverride().configureOutput({ writeErr() {} });
  addKeys(program);
  await expect(program.parseAsync(['keys', ...args.split(' ')], { from: 'user' })).rejects.toThrow(reason);
});

test.each([
  ['list', 'full', 1, /^petstore: cannot write to standard output: ENOSPC[^\n]*\n$/],
  // As in `keys list | head`.
  ['list', 'closed', 0, /^$/],
  ['create --name kiosk', 'full', 1, /^petstore: cannot write to .* output: ENOSPC.*keys revoke ends it\n$/],
  ['create --name kiosk', 'closed', 1, /^petstore: cannot write to .* output: EPIPE.*keys revoke ends it\n$/],
])('keys %s with a %s standard output exits with code %i', async (command, output, exitCode, message) => {
  await using database = await temporaryDatabase('sqlite');
  await migrate(database.url);
  const child = spawn(process.execPath, [CLI, 'keys', ...command.split(' ')], {
    env: { DATABASE_URL: database.url },
    stdio: ['ignore', output === 'full' ? openSync('/dev/full', 'w') : 'pipe', 'pipe'],
  });
  child.stdout?.destroy();
  const [stderr, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')]);
  expect(stderr).toMatch(message);
  expect(code).toBe(exitCode);
});

test('a key that the database has refused is not shown, a key that may have become valid is', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  await using folder = await temporaryFolder();
  const { database } = opened;
  // `issueKey` writes the key to this descriptor.
  const { fd } = process.stdout;
  const file = openSync(folder.file('stdout'), 'a');
  Object.assign(process.stdout, { fd: file });
  onTestFinished(() => {
    Object.assign(process.stdout, { fd });
    closeSync(file);
  });
  const shown = () => readFileSync(folder.file('stdout'), 'utf8');
  const issue = (name: string) => issueKey(database, (key) => createKey(database.db, name, { key }));

  await createKey(database.db, 'shop');
  await expect(issue('shop')).rejects.toThrow('"shop" has a valid key already');
  await opened.run(`create trigger rule before insert on api_keys begin select raise(abort, 'refused'); end`);
  await expect(issue('kiosk')).rejects.toThrow(/^DATABASE_URL: refused$/);
  expect(shown()).toBe('');
  expect(await listKeys(database.db)).toMatchObject([{ name: 'shop' }]);

  const outage = new BetterSqlite3.SqliteError('database is locked', 'SQLITE_BUSY');
  await expect(issueKey(database, () => Promise.reject(outage))).rejects.toThrow(
    /unavailable: database is locked; the key may be valid all the same/,
  );
  expect(shown()).toMatch(KEY);
});
