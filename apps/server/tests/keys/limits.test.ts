import { readdirSync, readFileSync, statSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, runCli, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { databaseWithKeys, failureOf, statusWithKey } from '#support/commands';

/** Sends a request with a key, and returns the header RateLimit-Policy of the response. */
const policyOf = async (baseUrl: string, key: string) =>
  (await fetchWithKey(baseUrl, key)('/pets')).headers.get('ratelimit-policy');

const SILENT_SUCCESS = { code: 0, stdout: '', stderr: '' };

const policy = (requests: number, seconds: number) => `"default";q=${requests};w=${seconds}`;

test('a key has its own limit, as issued or updated last, and otherwise the limit of the service', async () => {
  await using database = await databaseWithKeys();
  const { environment, keys, issueKey } = database;
  const shop = await issueKey('shop', '--rate-limit', '1000/3600');
  const kiosk = await issueKey('kiosk');
  const free = await issueKey('free', '--rate-limit', 'none');
  await using limited = await startServer({ ...environment, RATE_LIMIT: '500/60' });
  await using unlimited = await startServer(environment);

  for (const [server, servicePolicy] of [
    [limited, policy(500, 60)],
    [unlimited, null],
  ] as const) {
    const policies = [shop, kiosk, free, FIXED_KEY].map((key) => policyOf(server.baseUrl, key));
    expect(await Promise.all(policies)).toEqual([policy(1000, 3600), servicePolicy, null, servicePolicy]);
  }

  const rotated = (await keys('rotate', 'shop', '--grace', '1h')).stdout.trim();
  expect(await policyOf(limited.baseUrl, rotated)).toBe(policy(1000, 3600));
  expect(await keys('update', 'shop', '--rate-limit', '20/10')).toEqual(SILENT_SUCCESS);
  for (const key of [shop, rotated])
    await expect.poll(() => policyOf(limited.baseUrl, key)).toBe(policy(20, 10));
  await keys('update', '--name', 'shop', '--rate-limit', 'default');
  await expect.poll(() => policyOf(limited.baseUrl, rotated)).toBe(policy(500, 60));
  await expect.poll(() => policyOf(unlimited.baseUrl, rotated)).toBe(null);
  expect(await policyOf(limited.baseUrl, kiosk)).toBe(policy(500, 60));
});

// src/process/config.test.ts tests further limits, because RATE_LIMIT and --rate-limit share a schema.
test.each([
  ['create --name kiosk', 'many'],
  ['update shop', ''],
])('keys %s refuses the rate limit %o with one line', async (command, limit) => {
  const options = ['keys', ...command.split(' '), '--rate-limit', limit];
  expect(await failureOf(options, { DATABASE_URL: 'sqlite:/none/petstore.db' }, { exitCode: 2 })).toMatch(
    /^option '--rate-limit .+ must .+; or none, or default$/,
  );
});

describe('--output', () => {
  test('writes the key to a new file that only its owner can read, and prints nothing', async () => {
    await using folder = await temporaryFolder();
    const environment = { DATABASE_URL: `sqlite:${folder.file('petstore.db')}` };
    const keys = (...rest: string[]) => runCli(['keys', ...rest], environment, { cwd: folder.path });
    expect(await keys('create', '--name', 'shop', '--output', 'shop.key')).toEqual(SILENT_SUCCESS);
    const rotated = await keys('rotate', 'shop', '--grace', '1h', '--output', 'new.key');
    expect(rotated).toMatchObject({ code: 0, stdout: '' });
    await using server = await startServer(environment);
    for (const file of ['shop.key', 'new.key']) {
      expect(statSync(folder.file(file)).mode & 0o777).toBe(0o600);
      const text = readFileSync(folder.file(file), 'utf8');
      expect(text).toMatch(/^pst_\w+\n$/);
      expect(await statusWithKey(server.baseUrl, text.trim())).toBe(200);
    }
  });

  test('issues no key that cannot be stored, changes no existing file, and leaves no file without a key', async () => {
    await using folder = await temporaryFolder();
    const environment = { DATABASE_URL: `sqlite:${folder.file('petstore.db')}` };
    const keys = (...rest: string[]) => runCli(['keys', ...rest], environment, { cwd: folder.path });
    await keys('create', '--name', 'shop', '--output', 'shop.key');
    const before = readFileSync(folder.file('shop.key'), 'utf8');
    for (const [command, reason] of [
      [['create', '--name', 'kiosk', '--output', 'shop.key'], '--output: EEXIST: '],
      [['create', '--name', 'kiosk', '--output', 'none/kiosk.key'], '--output: ENOENT: '],
      [['rotate', 'shop', '--output', '/dev/full'], '--output: EEXIST: '],
      [['create', '--name', 'shop', '--output', 'again.key'], '"shop" has a valid key already'],
      [['rotate', 'kiosk', '--output', 'again.key'], '"kiosk" has no valid key'],
    ] as const) {
      const line = await failureOf(['keys', ...command], environment, { cwd: folder.path });
      expect(line).toContain(reason);
    }
    expect(readFileSync(folder.file('shop.key'), 'utf8')).toBe(before);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.key'))).toEqual(['shop.key']);
    const list = JSON.parse((await keys('list', '--json')).stdout);
    expect(list).toMatchObject([{ name: 'shop', state: 'valid' }]);
  });
});
