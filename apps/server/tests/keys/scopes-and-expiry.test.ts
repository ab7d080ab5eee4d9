import { checks, scopeChecks } from '@petstore/conformance';
import { engines } from '@petstore/test-support/databases/databases';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApp } from '#support/app';
import { databaseWithKeys, statusWithKey } from '#support/commands';
import { createKey, rotateKey } from '../../src/keys/manage.ts';
import { listKeys } from '../../src/keys/repository.ts';

const HOUR_MS = 3_600_000;

describe.each(engines)('over %s', (engine) => {
  test('a key that may only read passes every conformance check that only reads', async () => {
    await using app = await startApp({}, engine);
    const apiKey = await createKey(app.service.database.db, 'auditor', { scope: 'read' });
    const target = { baseUrl: app.baseUrl, apiKey, readApiKey: apiKey, fetch };
    const readOnlyChecks = [...checks, ...scopeChecks].filter(({ readOnly }) => readOnly);
    expect(readOnlyChecks.length).toBeGreaterThan(50);
    for (const check of readOnlyChecks) await check.run(target);
  });

  test('an expired key is refused like an unknown key, and the log names the expired key', async () => {
    await using app = await startApp({}, engine);
    const key = await createKey(app.service.database.db, 'guest', { endsAt: Date.now() + 2_000 });
    expect(await statusWithKey(app.baseUrl, key)).toBe(200);
    await expect.poll(() => statusWithKey(app.baseUrl, key), { interval: 200 }).toBe(401);
    expect(await statusWithKey(app.baseUrl, key)).toBe(401);
    const [expired, unknown] = await Promise.all(
      [key, `${key}x`].map(async (token) => {
        const response = await fetchWithKey(app.baseUrl, token)('/pets');
        return { challenge: response.headers.get('www-authenticate'), body: await response.json() };
      }),
    );
    expect(expired).toEqual(unknown);
    const lines = app.logLines().filter(({ msg }) => String(msg).startsWith('An API key is used'));
    expect(lines).toMatchObject([{ level: 40, key: 'guest', ended: expect.any(String) }]);
  });

  test('a rotated key keeps its scope and stays valid for as long as the key it replaces', async () => {
    await using app = await startApp({}, engine);
    const { database } = app.service;
    await createKey(database.db, 'guest', { scope: 'read', endsAt: Date.now() + HOUR_MS });
    const { endsAt = 0 } = await rotateKey(database.db, 'guest', { graceMs: 60_000 });
    expect(endsAt).toBeGreaterThan(Date.now() + HOUR_MS - 60_000);
    const other = await rotateKey(database.db, 'guest', {
      graceMs: 60_000,
      endsAt: Date.now() + 2 * HOUR_MS,
    });
    expect(other.endsAt).toBeGreaterThan(Date.now() + HOUR_MS + 60_000);
    const keys = (await listKeys(database.db)).filter(({ name }) => name === 'guest');
    expect(keys.map(({ scope }) => scope)).toEqual(['read', 'read', 'read']);
    const now = Date.now();
    const [first, second, third] = keys.map(({ endsAt: end = 0 }) => end - now);
    // The second rotation does not lengthen the grace period of the first key.
    expect(first).toBeLessThanOrEqual(Number(second));
    expect(second).toBeLessThanOrEqual(60_000);
    expect(third).toBeGreaterThan(HOUR_MS + 60_000);
  });

  test('the last use of a key is saved once an hour, and is never shown as before its creation', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1, 12, 34) });
    onTestFinished(() => void vi.useRealTimers());
    await using app = await startApp({}, engine);
    const { database } = app.service;
    const lastUses = async () => (await listKeys(database.db)).map(({ lastUsedAt }) => lastUsedAt);
    vi.setSystemTime(Date.UTC(2030, 0, 1, 14, 5));
    const newKey = await createKey(database.db, 'new');
    expect(await lastUses()).toEqual([undefined, undefined]);

    await app.request('/pets');
    await statusWithKey(app.baseUrl, newKey);
    await expect.poll(lastUses).toEqual([Date.UTC(2030, 0, 1, 14), Date.UTC(2030, 0, 1, 14, 5)]);

    const version = database.dataVersion?.();
    for (let number = 0; number < 3; number += 1) await app.request('/pets');
    expect(database.dataVersion?.()).toBe(version);
  });
});

describe('the keys commands', () => {
  test('print only the key to standard output, and the end of a key to standard error', async () => {
    await using database = await databaseWithKeys();
    const { keys } = database;
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`;

    expect(await keys('create', '--name', 'shop')).toMatchObject({
      stdout: expect.stringMatching(/^pst_\w+\n$/),
      stderr: '',
    });
    expect(await keys('create', '--name', 'guest', '--scope', 'read', '--expires', '90d')).toMatchObject({
      stdout: expect.stringMatching(/^pst_\w+\n$/),
      stderr: expect.stringMatching(RegExp(`^The key expires at ${time}\\.\n$`)),
    });
    expect(await keys('rotate', 'guest', '--grace', '24h')).toMatchObject({
      stdout: expect.stringMatching(/^pst_\w+\n$/),
      stderr: expect.stringMatching(
        RegExp(`^The previous key is refused from ${time} on\\.\nThe key expires at ${time}\\.\n$`),
      ),
    });
  });

  test('list the keys as a table, and as JSON', async () => {
    await using database = await databaseWithKeys();
    const { environment, keys, issueKey } = database;
    const key = await issueKey('the-shop');
    await issueKey('old', '--scope', 'read', '--expires', '2100-01-31', '--rate-limit', '20/10');
    await keys('revoke', 'old');
    await using server = await startServer(environment);
    expect(await statusWithKey(server.baseUrl, key)).toBe(200);
    expect(await statusWithKey(server.baseUrl, FIXED_KEY)).toBe(200);
    await server.stop();

    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const valid = { name: 'the-shop', scope: 'write', state: 'valid' };
    const ended = { name: 'old', scope: 'read', state: 'revoked' };
    expect(JSON.parse((await keys('list', '--json')).stdout)).toEqual([
      { ...valid, rateLimit: null, createdAt: iso, endsAt: null, lastUsedAt: iso },
      { ...ended, rateLimit: '20/10', createdAt: iso, endsAt: iso, lastUsedAt: null },
    ]);
    const [header = '', ...rows] = (await keys('list')).stdout.trimEnd().split('\n');
    const cells = (line: string) => line.split(/ {2,}/);
    expect(cells(header)).toEqual(['NAME', 'SCOPE', 'RATE LIMIT', 'STATE', 'END', 'CREATED', 'LAST USED']);
    expect(rows.map((row) => cells(row).slice(0, 4))).toEqual([
      ['the-shop', 'write', 'default', 'valid'],
      ['old', 'read', '20/10', 'revoked'],
    ]);
    for (const row of rows) expect(row.indexOf(cells(row)[1] ?? '')).toBe(header.indexOf('SCOPE'));
  });
});
