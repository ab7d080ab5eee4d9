import { hash } from 'node:crypto';
import { NewPet } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { runSql } from '#support/database';
import {
  deleteExpiredRecords,
  fingerprint,
  IDEMPOTENCY_RETENTION_MS,
  MS_PER_MINUTE,
} from '../../src/pets/idempotency.ts';

const create = (key: string, pet: object = { name: 'a', categoryId: 1 }) => ({
  method: 'POST',
  body: JSON.stringify(pet),
  headers: { 'idempotency-key': key },
});

describe.each(engines)('over %s', (engine) => {
  test('a key never returns a different pet that has the id of its removed pet', async () => {
    await using app = await startApp({}, { engine });
    await app.request('/pets', create('k'));
    const restart = {
      sqlite: 'pragma foreign_keys = off; delete from pets; delete from sqlite_sequence',
      postgres: 'truncate pets restart identity cascade',
    };
    await app.run(restart[engine]);
    await app.request('/pets', create('other', { name: 'another', categoryId: 2 }));
    const repeated = await app.request('/pets', create('k'));
    expect(repeated.headers.has('idempotency-replayed')).toBe(false);
    expect(await repeated.json()).toMatchObject({ id: 2, name: 'a', categoryId: 1 });
  });

  test('idempotency records are deleted after their retention, and not before', async () => {
    await using app = await startApp({}, { engine });
    const { database } = app.service;
    const now = Date.now();
    await app.request('/pets', create('old'));
    await app.request('/pets', create('new'));
    const expired = Math.floor((now - IDEMPOTENCY_RETENTION_MS) / MS_PER_MINUTE) - 1;
    await runSql(database, `update idempotency_records set created_at = ${expired} where pet_id = 1`);
    await deleteExpiredRecords(database.db, now);
    expect(await runSql(database, 'select pet_id from idempotency_records')).toEqual([{ pet_id: 2 }]);
  });
});

test('a fingerprint leaves out missing properties, so that it stays the same when a release adds one', () => {
  const digest = (text: string) => hash('sha256', text, 'buffer').readBigInt64BE();
  const fingerprintOf = (pet: unknown) => fingerprint(NewPet.parse(pet));
  expect(fingerprintOf({ name: 'a', categoryId: 1 })).toBe(digest('[["categoryId",1],["name","a"]]'));
  expect(fingerprintOf({ status: 'sold', name: 'a', categoryId: 2n ** 63n - 1n })).toBe(
    digest('[["categoryId",9223372036854775807],["name","a"],["status","sold"]]'),
  );
});
