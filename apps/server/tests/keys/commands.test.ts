import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { runShell, runTool, startProgram } from '@petstore/test-support/programs';
import { runInProcess } from '@petstore/test-support/run-in-process';
import { CLI, runCli } from '@petstore/test-support/servers/server-process';
import { expect, test, vi } from 'vitest';
import { failureOf, runCommand } from '#support/commands';
import { migratedDatabase, openTemporaryDatabase } from '#support/database';
import { withDatabase } from '../../src/commands/with-database.ts';
import { generateApiKey } from '../../src/keys/api-key.ts';
import { createKey, rotateKey } from '../../src/keys/manage.ts';
import { listKeys } from '../../src/keys/repository.ts';

test('keys create and keys rotate issue a key with the given settings, print it to standard output, and when it expires to standard error', async () => {
  await using database = await temporaryDatabase('sqlite');
  const environment = { DATABASE_URL: database.url };
  const keys = (...args: string[]) => runCli(['keys', ...args], environment);
  const stdout = expect.stringMatching(/^pst_\w+\n$/);
  /** Lines that each state a time. */
  const lines = (...beginnings: string[]) =>
    expect.stringMatching(RegExp(`^${beginnings.map((text) => `${text} [\\dT:-]{16}Z.*\\.\n`).join('')}$`));
  const settings = ['--scope', 'read', '--expires', '90d', '--rate-limit', '20/10'];
  const expiry = lines('The key expires at');
  const bothTimes = lines('The previous key is refused from', 'The key expires at');
  expect(await keys('create', '--name', 'shop', ...settings)).toEqual({ code: 0, stdout, stderr: expiry });
  expect(await keys('rotate', 'shop', '--grace', '24h')).toEqual({ code: 0, stdout, stderr: bothTimes });
  expect(await keys('create', '--name', 'kiosk')).toEqual({ code: 0, stdout, stderr: '' });
  expect(await keys('rotate', 'kiosk', '--expires', '90d')).toEqual({ code: 0, stdout, stderr: bothTimes });

  const list = await runCommand(['keys', 'list', '--json'], environment);
  const shop = { name: 'shop', scope: 'read', state: 'valid', rateLimit: '20/10' };
  const kiosk = { name: 'kiosk', scope: 'write', rateLimit: null };
  expect(JSON.parse(list.stdout)).toMatchObject([shop, shop, kiosk, kiosk]);
});

test('keys update and keys revoke change the valid keys of a name, which keys list shows', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const environment = { DATABASE_URL: opened.url };
  const keys = (...args: string[]) => runCommand(['keys', ...args], environment);
  await createKey(opened.db, 'shop', { rateLimit: '20/10' });
  await rotateKey(opened.db, 'shop', { graceMs: 60_000 });
  expect(await keys('update', 'shop', '--rate-limit', 'default')).toMatchObject({ code: 0 });
  expect(await listKeys(opened.db)).toMatchObject(Array(2).fill({ rate_limit: null }));
  expect(await keys('update', 'shop', '--rate-limit', 'none')).toMatchObject({ code: 0 });
  expect(await keys('revoke', 'shop')).toMatchObject({ code: 0, stderr: 'Revoked keys of shop: 2\n' });
  expect((await keys('list')).stdout).toMatch(/^NAME .*\n(?:shop +write +none +revoked .*\n){2}$/);

  for (const command of [['revoke'], ['update', '--rate-limit', 'none']])
    expect(await failureOf(['keys', ...command, 'shop'], environment)).toBe('"shop" has no valid key');
});

test('keys find waits for a key from standard input, and refuses a key of another database', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const environment = { DATABASE_URL: opened.url };
  const key = await createKey(opened.db, 'shop');
  const find = `(sleep 1; echo ${key}) | "${process.execPath}" "${CLI}" keys find --json`;
  const found = await runTool('sh', ['-c', find], { env: { ...process.env, ...environment } });
  expect(JSON.parse(found)).toMatchObject([{ name: 'shop', state: 'valid' }]);
  const unknown = startProgram([CLI, 'keys', 'find'], { environment, input: generateApiKey() });
  expect(await unknown.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('another database') });
});

test.each([
  ['create --name two,words', /letters, digits/],
  [`create --name ${'x'.repeat(65)}`, /1 to 64 letters/],
  ['create --name .shop', /begin with a letter or a digit$/],
  ['create --name shop --expires soon', /"soon" is not a duration/],
  ['create --name shop --rate-limit many', /must .+; or none, or default$/],
  ['update shop', /required option '--rate-limit/],
  ['revoke', /missing required argument 'name'/],
])('keys %s is refused as wrong usage', async (args, reason) => {
  expect(await failureOf(['keys', ...args.split(' ')], {}, { exitCode: 2 })).toMatch(reason);
});

test('a command that works for longer than its database may take to close is not killed', async () => {
  await using database = await temporaryDatabase('sqlite');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  using kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const command = () => withDatabase('create', async () => vi.advanceTimersByTime(60_000));
  expect((await runInProcess(command, { DATABASE_URL: database.url })).code).toBe(0);
  expect(kill).not.toHaveBeenCalled();
});

test.each([
  ['list', '>/dev/full', /^petstore: cannot write to standard output: ENOSPC[^\n]*\ncode 1\n$/],
  ['list --help', '>/dev/full', /^petstore: cannot write to standard output: ENOSPC[^\n]*\ncode 1\n$/],
  // As `| head`, which ends before it has read all.
  ['list', '| true', /^code 0\n$/],
  ['create --name kiosk', '', /^pst_\w+\nThe key is stored nowhere.*\ncode 0\n$/],
  ['create --name kiosk', '>/dev/null', /^code 0\n$/],
  ['create --name kiosk', '>/dev/full', /^petstore: cannot write to .*: ENOSPC.*revoke ends it\ncode 1\n$/],
  ['create --name kiosk', '| true', /^petstore: cannot write to .*: EPIPE.*revoke ends it\ncode 1\n$/],
])('in a terminal, the command line keys %s %s prints %s', async (command, redirection, output) => {
  await using database = await migratedDatabase('sqlite');
  const LINE = `("${process.execPath}" "${CLI}" keys ${command}; echo "code $?" >&2) ${redirection}`;
  const environment = { DATABASE_URL: database.url, LINE };
  const shown = await runShell('script -qec "$LINE" /dev/null', { environment });
  expect(shown.output.replaceAll('\r', '')).toMatch(output);
});

test('keys create prints no key that the database has refused, but a key that may have become valid', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const environment = { DATABASE_URL: opened.url };
  const create = (name: string) => runCli(['keys', 'create', '--name', name], environment);
  await createKey(opened.db, 'shop');
  const stderr = expect.stringContaining('"shop" has a valid key already');
  expect(await create('shop')).toEqual({ code: 1, stdout: '', stderr });
  await opened.run(`create trigger rule before insert on api_keys begin select raise(abort, 'refused'); end`);
  expect(await create('kiosk')).toEqual({ code: 1, stdout: '', stderr: 'petstore: DATABASE_URL: refused\n' });
  expect(await listKeys(opened.db)).toMatchObject([{ name: 'shop' }]);

  // No file can grow, as on a full disk.
  const line = `ulimit -f 0; exec "${process.execPath}" "${CLI}" keys create --name kiosk`;
  const lines = /^pst_\w+\npetstore: .* unavailable: .*; the key may be valid all the same.*\n$/;
  expect(await runShell(line, { environment })).toEqual({ code: 1, output: expect.stringMatching(lines) });
});
