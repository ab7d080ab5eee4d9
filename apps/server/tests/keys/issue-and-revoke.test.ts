import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { CLI, runCli, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, test } from 'vitest';

const status = async (baseUrl: string, key: string) =>
  (await fetch(`${baseUrl}/pets`, { headers: { authorization: `Bearer ${key}` } })).status;

describe.each(engines)('over %s', (engine) => {
  test('the server follows while keys are created, rotated and revoked', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url };
    await using server = await startServer(environment);
    const keys = (...rest: string[]) => runCli(['keys', ...rest], environment);

    const first = (await keys('create', '--name', 'shop')).stdout.trim();
    expect(await status(server.baseUrl, first)).toBe(200);

    const second = (await keys('rotate', '--name', 'shop')).stdout.trim();
    expect(await status(server.baseUrl, second)).toBe(200);
    await expect.poll(() => status(server.baseUrl, first)).toBe(401);

    expect((await keys('revoke', 'shop')).code).toBe(0);
    await expect.poll(() => status(server.baseUrl, second)).toBe(401);

    const { stdout } = await keys('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ isValid: false }, { isValid: false }]);
  });

  test('logs, errors, the list of keys and the database do not contain a key', async () => {
    await using database = await temporaryDatabase(engine);
    const environment = { DATABASE_URL: database.url, LOG_LEVEL: 'trace' };
    const key = (await runCli(['keys', 'create', '--name', 'shop'], environment)).stdout.trim();
    const server = await startServer({ ...environment, API_KEYS: 'fixed-secret-key' });
    const responses = await Promise.all([
      send(`${server.baseUrl}/pets`, key),
      send(`${server.baseUrl}/pets/nothing`, key),
      send(`${server.baseUrl}/pets`, `${key}x`),
      send(`${server.baseUrl}/pets?limit=0`, 'fixed-secret-key'),
    ]);
    await server.stop();
    const list = await runCli(['keys', 'list'], environment);
    const everything = [...responses, server.output(), list.stdout, ...(await database.dump())].join('\n');
    expect(everything).toContain('shop');
    expect(everything).not.toContain(key.slice(4, 36));
    expect(everything).not.toContain('fixed-secret-key');
  });
});

async function send(url: string, key: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return JSON.stringify([...response.headers]) + (await response.text());
}

test('a key command that fails or is mistaken says why in one line', async () => {
  await using database = await temporaryDatabase('sqlite');
  const environment = { DATABASE_URL: database.url };
  await runCli(['keys', 'create', '--name', 'shop'], environment);
  for (const [command, exitCode] of [
    [['create', '--name', 'shop'], 1],
    [['rotate', '--name', 'unknown'], 1],
    [['revoke', 'unknown'], 1],
    [['update', 'unknown', '--rate-limit', '1/1'], 1],
    [['create', '--name', 'two words'], 2],
    [['create', '--name', 'kiosk', '--expires', 'soon'], 2],
    [['create', '--name', 'kiosk', '--color', 'red'], 2],
    [['revoke'], 2],
  ] as const) {
    const { code, stdout, stderr } = await runCli(['keys', ...command], environment);
    expect({ command, code, stdout }).toEqual({ command, code: exitCode, stdout: '' });
    expect(stderr).toMatch(/^petstore: [^\n]+\n$/);
  }
});

test('a command whose output cannot be written says so in one line', async () => {
  await using database = await temporaryDatabase('sqlite');
  await runCli(['keys', 'create', '--name', 'shop'], { DATABASE_URL: database.url });
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'keys', 'list'], {
    env: { DATABASE_URL: database.url },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^petstore: cannot write to standard output: ENOSPC[^\n]*\n$/);
});

test('a command whose reader wants no more ends without a word', async () => {
  await using database = await temporaryDatabase('sqlite');
  await runCli(['keys', 'create', '--name', 'shop'], { DATABASE_URL: database.url });
  const child = spawn(process.execPath, [CLI, 'keys', 'list'], { env: { DATABASE_URL: database.url } });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  expect([...(await once(child, 'close')), stderr]).toEqual([0, null, '']);
});

test.each(['create', 'rotate'])('keys %s says what to do when the key cannot be shown', async (command) => {
  await using database = await temporaryDatabase('sqlite');
  const env = { DATABASE_URL: database.url };
  for (const [name, stdout, reason] of [
    ['full', openSync('/dev/full', 'w'), 'ENOSPC'],
    ['gone', 'pipe', 'EPIPE'],
  ] as const) {
    if (command === 'rotate') await runCli(['keys', 'create', '--name', name], env);
    const child = spawn(process.execPath, [CLI, 'keys', command, '--name', name], {
      env,
      stdio: ['ignore', stdout, 'pipe'],
    });
    child.stdout?.destroy();
    const [stderr, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')]);
    expect(stderr).toMatch(
      new RegExp(`^petstore: cannot write to standard output: ${reason}[^\\n]*keys revoke ends it\\n$`),
    );
    expect(code).toBe(1);
  }
});
