import { readdirSync, writeFileSync } from 'node:fs';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { runCli, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { failureOf, statusWithKey } from '#support/commands';

const KEY = 'a-key-that-is-in-a-file';

describe.each(engines)('over %s', (engine) => {
  test('a production server reads its secrets from files', async () => {
    await using database = await temporaryDatabase(engine);
    await using folder = await temporaryFolder();
    const write = (name: string, text: string) => {
      writeFileSync(folder.file(name), text, { mode: 0o400 });
      return folder.file(name);
    };
    const environment = {
      NODE_ENV: 'production',
      DATABASE_URL_FILE: write('database-url', `${database.url}\n`),
    };
    const { stdout } = await runCli(['keys', 'create', '--name', 'shop'], environment);
    const keys = { API_KEYS: '', API_KEYS_FILE: write('api-keys', `${KEY},another-key-in-a-file\r\n`) };
    await using server = await startServer({ ...environment, ...keys });
    for (const key of [stdout.trim(), KEY, 'another-key-in-a-file'])
      expect(await statusWithKey(server.baseUrl, key)).toBe(200);
    expect(await statusWithKey(server.baseUrl, `${KEY},another-key-in-a-file`)).toBe(401);
    expect(server.output()).not.toContain(KEY);
  });
});

describe('a command exits with code 78 and prints one line', () => {
  /** Runs a command with files in its working directory, and returns the reason that it gives. */
  async function refusalOf(
    environment: Record<string, string>,
    { command = ['serve'], files = {} }: { command?: string[]; files?: Record<string, string> } = {},
  ): Promise<string> {
    await using folder = await temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(name), text);
    const variables = { PORT: '0', ...environment };
    const reason = await failureOf(command, variables, { exitCode: 78, cwd: folder.path });
    expect(readdirSync(folder.path).toSorted()).toEqual(Object.keys(files).toSorted());
    return reason;
  }

  test('when a variable and its file are both set', async () => {
    const environment = { DATABASE_URL: 'sqlite:a.db', DATABASE_URL_FILE: 'url' };
    expect(await refusalOf(environment, { files: { url: 'sqlite:b.db' } })).toBe(
      'DATABASE_URL_FILE: DATABASE_URL is set as well; set one of them',
    );
  });

  test.each([
    ['is missing', {}, /^API_KEYS_FILE: ENOENT: no such file or directory, open 'keys'$/],
    ['is empty', { keys: '\n' }, /^API_KEYS_FILE: keys must have one line$/],
    ['has several lines', { keys: `${KEY}\n${KEY}2\n` }, /^API_KEYS_FILE: keys must have one line$/],
    [
      'has a bad value',
      { keys: 'short' },
      /^API_KEYS_FILE: the text in keys must be keys of at least 16 characters$/,
    ],
  ])('when a file %s', async (_what, files, reason) => {
    expect(await refusalOf({ API_KEYS_FILE: 'keys' }, { files })).toMatch(reason);
  });

  test.each([
    [['serve'], {}],
    [['serve'], { DATABASE_URL: '' }],
    [['keys', 'list'], {}],
    [['restore', 'backup.db'], {}],
  ])('when %o in production has no database: %o', async (command, environment) => {
    expect(await refusalOf({ NODE_ENV: 'production', ...environment }, { command })).toMatch(
      /^DATABASE_URL: must be set where NODE_ENV is production: sqlite:<file> or postgres:/,
    );
  });
});

test('a health check in production needs neither a database nor its secrets', async () => {
  const PORT = `${await findFreePort()}`;
  const environment = { NODE_ENV: 'production', PORT, API_KEYS_FILE: '/does/not/exist' };
  expect(await failureOf(['healthcheck'], environment)).toMatch(/^no response from /);
});
