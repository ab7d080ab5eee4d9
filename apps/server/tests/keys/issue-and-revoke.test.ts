import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines } from '@petstore/test-support/databases/databases';
import { startProgram } from '@petstore/test-support/programs';
import { CLI, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';
import { databaseWithKeys, failureOf } from '#support/commands';
import { generateApiKey } from '../../src/keys/api-key.ts';

describe.each(engines)('over %s', (engine) => {
  test('keys find tells whose key standard input has, and why it ended', async () => {
    await using database = await databaseWithKeys(engine);
    const { environment, issueKey } = database;
    const find = async (input: string, ...options: string[]) => {
      const program = startProgram([CLI, 'keys', 'find', ...options], { environment, input });
      return { ...(await program.ended) };
    };
    const [shop, brief, old] = [
      await issueKey('shop'),
      await issueKey('brief', '--expires', '1s'),
      await issueKey('old'),
    ];
    await database.run(`update api_keys set ends_at = created_at where name = 'old'`);
    await sleep(1_000);
    for (const [key, name, state] of [
      [shop, 'shop', 'valid'],
      [brief, 'brief', 'expired'],
      [old, 'old', 'ended'],
    ] as const) {
      const { stdout } = await find(`${key}\n`, '--json');
      expect(JSON.parse(stdout)).toMatchObject([{ name, state }]);
    }
    expect((await find(shop)).stdout).toContain('shop');
    for (const input of ['', shop.slice(1), generateApiKey()]) {
      const { code, stdout, stderr } = await find(input);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^petstore: [^\n]+\n$/);
    }
  });

  test('logs, errors, the list of keys and the database do not contain a key', async () => {
    await using database = await databaseWithKeys(engine);
    const { environment, keys, issueKey } = database;
    const key = await issueKey('shop');
    const server = await startServer({ ...environment, LOG_LEVEL: 'trace', API_KEYS: 'fixed-secret-key' });
    const responses = await Promise.all([
      send(`${server.baseUrl}/pets`, key),
      send(`${server.baseUrl}/pets/nothing`, key),
      send(`${server.baseUrl}/pets`, `${key}x`),
      send(`${server.baseUrl}/pets?limit=0`, 'fixed-secret-key'),
    ]);
    await server.stop();
    const list = await keys('list');
    const everything = [...responses, server.output(), list.stdout, ...(await database.dump())].join('\n');
    expect(everything).toContain('shop');
    // The secret, without the prefix pst_ and the checksum.
    expect(everything).not.toContain(key.slice(4, 36));
    expect(everything).not.toContain('fixed-secret-key');
  });
});

async function send(url: string, key: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return JSON.stringify([...response.headers]) + (await response.text());
}

test('a failed or invalid key command prints one line to standard error', async () => {
  await using database = await databaseWithKeys();
  await database.issueKey('shop');
  for (const [command, exitCode] of [
    [['create', '--name', 'shop'], 1],
    [['rotate', '--name', 'unknown'], 1],
    [['revoke', 'unknown'], 1],
    [['update', 'unknown', '--rate-limit', '1/1'], 1],
    [['create', '--name', 'two words'], 2],
    [['create', '--name', 'kiosk', '--expires', 'soon'], 2],
    [['create', '--name', 'kiosk', '--color', 'red'], 2],
    [['revoke'], 2],
    [['revoke', 'shop', '--name', 'kiosk'], 2],
  ] as const) {
    await failureOf(['keys', ...command], database.environment, { exitCode });
  }
});

test.each([
  ['list', 'full', 1, /: ENOSPC[^\n]*\n$/],
  ['list', 'closed', 0, /^$/],
  ['create --name kiosk', 'full', 1, /: ENOSPC[^\n]*keys revoke ends it\n$/],
  ['create --name kiosk', 'closed', 1, /: EPIPE[^\n]*keys revoke ends it\n$/],
  ['rotate shop', 'full', 1, /: ENOSPC[^\n]*keys revoke ends it\n$/],
  ['rotate shop', 'closed', 1, /: EPIPE[^\n]*keys revoke ends it\n$/],
])('keys %s with a %s standard output exits with code %i', async (command, output, exitCode, message) => {
  await using database = await databaseWithKeys();
  await database.issueKey('shop');
  const child = spawn(process.execPath, [CLI, 'keys', ...command.split(' ')], {
    env: database.environment,
    stdio: ['ignore', output === 'full' ? openSync('/dev/full', 'w') : 'pipe', 'pipe'],
  });
  child.stdout?.destroy();
  const [stderr, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')]);
  expect(stderr).toMatch(message);
  if (exitCode !== 0) expect(stderr).toMatch(/^petstore: cannot write to standard output: [^\n]+\n$/);
  expect(code).toBe(exitCode);
});
