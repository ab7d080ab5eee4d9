import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { beforeEach, expect, test, vi } from 'vitest';
import { type RunningApp, startApp } from '#support/app';
import { openTemporaryDatabase } from '#support/database';
import { createKey, revokeKeysOf, rotateKey, setRateLimit } from '../../src/keys/manage.ts';
import { listKeys } from '../../src/keys/repository.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** A running server notices within this time that a key was revoked or updated. */
const NOTICED_MS = 5 * SECOND_MS;

// The tests move the clocks, instead of waiting.
const now = Date.UTC(2030, 0, 1, 12, 34);
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now }));

const requestWith = (app: RunningApp, key: string) =>
  app.request('/pets', { headers: { authorization: `Bearer ${key}` } });
const statusWithKey = async (app: RunningApp, key: string) => (await requestWith(app, key)).status;

test('an expired key is refused like an unknown key, and the log names it once a minute', async () => {
  await using app = await startApp();
  const key = await createKey(app.db, 'guest', { endsAt: Date.now() + SECOND_MS });
  expect(await statusWithKey(app, key)).toBe(200);
  vi.advanceTimersByTime(SECOND_MS - 1);
  expect(await statusWithKey(app, key)).toBe(200);

  vi.advanceTimersByTime(1);
  const responseTo = async (token: string) => {
    const response = await requestWith(app, token);
    return [response.status, response.headers.get('www-authenticate'), await response.text()];
  };
  const refusal = await responseTo(`${key}x`);
  expect(refusal[0]).toBe(401);
  for (const expired of [key, key]) expect(await responseTo(expired)).toEqual(refusal);
  const lines = () => app.logLines().filter(({ msg }) => String(msg).startsWith('An API key is used'));
  expect(lines()).toMatchObject([{ level: 40, key: 'guest', ended: new Date().toISOString() }]);
  vi.advanceTimersByTime(60 * SECOND_MS);
  await requestWith(app, key);
  expect(lines()).toHaveLength(2);
});

test('a running server caches a valid key, but refuses it five seconds after its revocation, whatever the clocks say', async () => {
  await using app = await startApp();
  const key = await createKey(app.db, 'shop');
  expect(await statusWithKey(app, key)).toBe(200);
  await revokeKeysOf(app.db, 'shop');
  expect(await statusWithKey(app, key)).toBe(200);
  vi.advanceTimersByTime(NOTICED_MS);
  // A failed look-up must not count for later requests.
  await app.run('alter table api_keys rename to renamed');
  expect(await statusWithKey(app, key)).toBe(500);
  await app.run('alter table renamed rename to api_keys');
  expect(await statusWithKey(app, key)).toBe(401);
  // The clock of the command that revoked the key may be ahead of the server's clock.
  vi.setSystemTime(Date.now() - HOUR_MS);
  vi.advanceTimersByTime(NOTICED_MS);
  expect(await statusWithKey(app, key)).toBe(401);
});

test('a key with a scope that only a newer release knows may only read', async () => {
  await using app = await startApp();
  await app.run(`update api_keys set scope = 'admin'`);
  expect((await app.request('/pets')).status).toBe(200);
  expect((await app.request('/pets', creation())).status).toBe(403);
});

test('a rotation keeps scope and lifetime, and does not lengthen the grace period of an earlier key', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const start = Date.now();
  await createKey(opened.db, 'guest', { scope: 'read', endsAt: start + HOUR_MS });
  vi.advanceTimersByTime(SECOND_MS);
  const { endsAt } = await rotateKey(opened.db, 'guest', { graceMs: 60 * SECOND_MS });
  expect(endsAt).toBe(start + SECOND_MS + HOUR_MS);
  vi.advanceTimersByTime(SECOND_MS);
  await rotateKey(opened.db, 'guest', { graceMs: 60 * SECOND_MS, endsAt: start + 2 * HOUR_MS });

  // Rotated after one and two seconds, with a minute of grace each.
  expect(await listKeys(opened.db)).toMatchObject([
    { scope: 'read', end_reason: 'rotated', ends_at: start + 61 * SECOND_MS },
    { scope: 'read', end_reason: 'rotated', ends_at: start + 62 * SECOND_MS },
    { scope: 'read', end_reason: 'expired', ends_at: start + 2 * HOUR_MS },
  ]);
  // Without a grace period, a rotation revokes all three.
  await rotateKey(opened.db, 'guest');
  expect((await listKeys(opened.db)).filter(({ end_reason }) => end_reason === 'revoked')).toHaveLength(3);
});

test('a rotation replaces the present key, not a key that expires within its grace period', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const expiry = Date.now() + HOUR_MS;
  await createKey(opened.db, 'guest', { endsAt: expiry });
  vi.advanceTimersByTime(SECOND_MS);
  const rotation = { graceMs: 2 * HOUR_MS, endsAt: expiry + HOUR_MS };
  expect(await rotateKey(opened.db, 'guest', rotation)).toMatchObject({ previousEndsAt: expiry });
  // A successor of the first key would end an hour from now.
  expect(await rotateKey(opened.db, 'guest')).toMatchObject({ endsAt: rotation.endsAt });
});

test('a rotation after the clock was moved back replaces the present key, not a key in its grace period', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  await createKey(opened.db, 'guest');
  vi.setSystemTime(Date.now() - SECOND_MS);
  await rotateKey(opened.db, 'guest', { graceMs: HOUR_MS });
  // The first key has an end now, and its successor would have one, too.
  expect(await rotateKey(opened.db, 'guest')).toMatchObject({ endsAt: undefined });
});

test('the last use of a key is saved once an hour, as the start of the hour or the creation of the key, whichever is later', async () => {
  await using app = await startApp();
  const { database } = app.service;
  const lastUses = async () => (await listKeys(database.db)).map(({ last_used_at }) => last_used_at);
  vi.setSystemTime(Date.UTC(2030, 0, 1, 14, 5));
  const newKey = await createKey(database.db, 'new');
  expect(await lastUses()).toEqual([null, null]);

  await app.request('/pets');
  await statusWithKey(app, newKey);
  await expect.poll(lastUses).toEqual([Date.UTC(2030, 0, 1, 14), Date.UTC(2030, 0, 1, 14, 5)]);

  // A save at each look-up would delay creations, and empty the cache of lists.
  await app.run(`create trigger again before update on api_keys when new.last_used_at = old.last_used_at
    begin select raise(abort, 'again'); end`);
  vi.advanceTimersByTime(NOTICED_MS);
  await app.request('/pets');
  vi.advanceTimersByTime(HOUR_MS);
  await app.request('/pets');
  // Saves are made in order, so an earlier one would have failed by now.
  await expect.poll(async () => (await lastUses())[0]).toBe(Date.UTC(2030, 0, 1, 15));
  expect(app.logLines().filter(({ err }) => err)).toEqual([]);
});

test('a key has the rate limit of its creation or last update, and without one the limit of the service', async () => {
  await using app = await startApp({ RATE_LIMIT: '500/60' });
  const shop = await createKey(app.db, 'shop', { rateLimit: '1000/3600' });
  const free = await createKey(app.db, 'free', { rateLimit: 'none' });
  const policyOf = async (key: string) => (await requestWith(app, key)).headers.get('ratelimit-policy');
  expect(await policyOf(shop)).toBe('"default";q=1000;w=3600');
  expect(await policyOf(free)).toBe(null);
  expect(await policyOf(app.apiKey)).toBe('"default";q=500;w=60');

  const { key: rotated } = await rotateKey(app.db, 'shop', { graceMs: HOUR_MS });
  expect(await policyOf(rotated)).toBe('"default";q=1000;w=3600');
  await setRateLimit(app.db, 'shop', '20/10');
  vi.advanceTimersByTime(NOTICED_MS);
  for (const key of [shop, rotated]) expect(await policyOf(key)).toBe('"default";q=20;w=10');
  await setRateLimit(app.db, 'shop');
  vi.advanceTimersByTime(NOTICED_MS);
  expect(await policyOf(rotated)).toBe('"default";q=500;w=60');
});
