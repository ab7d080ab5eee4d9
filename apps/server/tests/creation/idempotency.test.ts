import { hash } from 'node:crypto';
import { NewPet } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { startApp } from '#support/app';
import { addPets, caller, openTemporaryDatabase, runSql } from '#support/database';
import { appendPetsSql } from '../../src/database/postgres/append-pets.ts';
import { KeyRing } from '../../src/keys/key-ring.ts';
import { CreateQueue } from '../../src/pets/create-queue.ts';
import { deleteExpiredRecords, fingerprint } from '../../src/pets/idempotency.ts';
import { rowOf } from '../../src/pets/repository.ts';
import { startUpkeep } from '../../src/service/upkeep.ts';

const pet = NewPet.parse({ name: 'a', categoryId: 1 });
const largePet = { ...pet, name: `'\\`.repeat(30_000) };

test('a key whose pet was removed from SQLite never returns another pet that gets its id', async () => {
  await using app = await startApp();
  await app.request('/pets', creation('a', { 'idempotency-key': 'k' }));
  // The sqlite3 shell enforces no foreign keys, so the record stays. The next pet gets the id 1 again.
  await app.run('pragma foreign_keys = off; delete from pets; delete from sqlite_sequence');
  await app.request('/pets', creation('another'));
  const repeated = await app.request('/pets', creation('a', { 'idempotency-key': 'k' }));
  expect(await repeated.json()).toMatchObject({ id: 2, name: 'a' });
});

test('a statement of PostgreSQL has the JSON of a pet unchanged, because escapes cost much processor time', () => {
  const row = rowOf(largePet, { created_at: 0, created_by: '' });
  expect(appendPetsSql([{ row }])).toContain(JSON.stringify(largePet.name));
});

describe.each(engines)('over %s', (engine) => {
  test('a batch with a repeated key records each new key for its own pet, and the key of a removed pet adds one pet, and is kept for 24 hours from then on', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const queue = new CreateQueue(opened.database, { maxWaiting: 3 });
    const add = (idempotencyKey?: string) => queue.create({ pet, idempotencyKey, caller });
    await add('old');
    const [, added] = await Promise.all([add('old'), add('new'), add()]);
    expect(await add('new')).toEqual({ ...added, outcome: 'replayed' });
    // Without foreign keys, the record of the removed pet stays.
    const off = { sqlite: 'pragma foreign_keys = off', postgres: 'set session_replication_role = replica' };
    await opened.run('update idempotency_records set created_at = 0');
    await opened.run(`${off[engine]}; delete from pets where id = 1`);
    expect(await add('old')).toMatchObject({ outcome: 'created', pet: { id: 4 } });
    await deleteExpiredRecords(opened.db);
    expect(await add('old')).toMatchObject({ outcome: 'replayed', pet: { id: 4 } });
  });

  test('large pets are added in small batches', async () => {
    await using opened = await openTemporaryDatabase(engine);
    const onBatch = vi.fn();
    const queue = new CreateQueue(opened.database, { maxWaiting: 100, observer: { onBatch } });
    const create = () => queue.create({ pet: largePet, caller });
    const creations = await Promise.all(Array.from({ length: 100 }, create));
    expect(creations.every(({ outcome }) => outcome === 'created')).toBe(true);
    // A large pet counts as 61 of the 400 rows of a batch: one, and one for each 1,000 of its characters.
    expect(onBatch.mock.calls.length).toBeGreaterThan(100 / 7);
    for (const [size] of onBatch.mock.calls) expect(size).toBeLessThan(7);
  });

  test("idempotency records are deleted after 24 hours of the database's clock, and not before", async () => {
    await using app = await startApp({}, { engine });
    const { database } = app.service;
    await app.request('/pets', creation('a', { 'idempotency-key': 'k' }));
    // A deletion looks at 1,000 records. An update moves the first record behind these, but it must still be looked at.
    const queue = new CreateQueue(database, { maxWaiting: 1_000 });
    const addLater = (_: unknown, index: number) => queue.create({ pet, idempotencyKey: `${index}`, caller });
    await Promise.all(Array.from({ length: 1_000 }, addLater));
    // This server's clock, which is two days ahead, must not count.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 3_600_000 });
    /** Changes the time of a pet's record, and deletes expired records. @returns the record unless it was deleted */
    const remainingAt = async (createdAt: string, petId = 1) => {
      await app.run(`update idempotency_records set created_at = ${createdAt} where pet_id = ${petId}`);
      while (await deleteExpiredRecords(database.db));
      return runSql(database, `select created_at from idempotency_records where pet_id = ${petId}`);
    };
    // Times are whole minutes. The record is a minute younger than 24 hours, and then a minute older.
    expect(await remainingAt(`created_at - ${24 * 60 - 1}`)).toHaveLength(1);
    expect(await remainingAt('created_at - 2')).toEqual([]);
    // A record of exactly 24 hours stays. If a minute begins before the deletion, the next pet's record is tried.
    let petId = 1;
    const dayAgo = () => `${Math.floor(vi.getRealSystemTime() / 60_000) - 24 * 60}`;
    await expect.poll(() => remainingAt(dayAgo(), ++petId)).toHaveLength(1);
  });
});

test('a repetition is recognised by the owner of its API key even if the name of the key changes, and created_by has the name', async () => {
  await using opened = await openTemporaryDatabase('sqlite');
  const queue = new CreateQueue(opened.database, { maxWaiting: 1 });
  const parts = { db: opened.db, logger: pino({ level: 'silent' }), rateLimit: undefined };
  const outcomes = [];
  for (const [key, fixedKeys] of [
    ['one', ['one', 'two']],
    ['one', ['two', 'one']],
    ['two', ['two', 'one']],
  ] as const) {
    const { name = '', owner = '' } = (await new KeyRing({ ...parts, fixedKeys }).find(key)) ?? {};
    const { outcome } = await queue.create({ pet, idempotencyKey: 'k', caller: { name, owner } });
    outcomes.push(`${outcome} by ${name}`);
  }
  expect(outcomes).toEqual(['created by env-1', 'replayed by env-2', 'created by env-1']);
  // Not the owner: it is a digest, with which a reader of the database could test guesses of the key.
  const creators = await runSql(opened.database, 'select distinct created_by from pets');
  expect(creators).toEqual([{ created_by: 'env-1' }]);
});

test('a fingerprint leaves out missing properties, so that it stays the same when a release adds one', () => {
  const digest = (text: string) => hash('sha256', text, 'buffer').readBigInt64BE();
  const fingerprintOf = (pet: unknown) => fingerprint(NewPet.parse(pet));
  expect(fingerprintOf({ name: 'a', categoryId: 1 })).toBe(digest('[["categoryId",1],["name","a"]]'));
  const sold = '[["categoryId",9223372036854775807],["name","a"],["status","sold"]]';
  expect(fingerprintOf({ status: 'sold', name: 'a', categoryId: 2n ** 63n - 1n })).toBe(digest(sold));
});

test('the upkeep deletes all expired records now and every hour, until it ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using opened = await openTemporaryDatabase('sqlite');
  const { database } = opened;
  await addPets(database, [{ name: 'a', categoryId: 1 }]);
  // One statement deletes 1,000 records.
  const addExpired = () =>
    opened.run(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1500)
      insert into idempotency_records (key, fingerprint, pet_id, created_at)
      select randomblob(16), 1, 1, 0 from numbers`);
  const count = () => runSql(database, 'select count(*) as records from idempotency_records');
  /** Counts after a statement of the upkeep that is running: writes take turns. */
  const countAfterWrite = () => addPets(database, [{ name: 'b', categoryId: 1 }]).then(count);
  await addExpired();
  const upkeep = startUpkeep(database.db, pino({ level: 'silent' }));
  await expect.poll(count).toEqual([{ records: 0 }]);
  await addExpired();
  vi.advanceTimersByTime(3_000_000);
  expect(await countAfterWrite()).toEqual([{ records: 1500 }]);
  vi.advanceTimersByTime(600_000);
  await expect.poll(count).toEqual([{ records: 0 }]);
  upkeep[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);

  await addExpired();
  startUpkeep(database.db, pino({ level: 'silent' }))[Symbol.dispose]();
  await expect.poll(count).toEqual([{ records: 500 }]);
  expect(await countAfterWrite(), 'a stop ends the deletion after one statement').toEqual([{ records: 500 }]);
});
