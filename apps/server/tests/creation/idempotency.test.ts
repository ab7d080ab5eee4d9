import { hash } from 'node:crypto';
import { NewPet, Pets } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { runSql } from '#support/database';
import { createKey } from '../../src/keys/manage.ts';
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
  test('a key whose pet was removed by hand is free again, for any pet', async () => {
    await using app = await startApp({}, engine);
    await app.request('/pets', create('k'));
    // SQLite's own tool and PostgreSQL's restore or replication do not enforce foreign keys.
    const withoutForeignKeys = {
      sqlite: 'pragma foreign_keys = off',
      postgres: 'set session_replication_role = replica',
    };
    await app.run(`${withoutForeignKeys[engine]}; delete from pets`);
    const added = await app.request('/pets', create('k', { name: 'another', categoryId: 2 }));
    expect(added.status).toBe(201);
    expect(added.headers.has('idempotency-replayed')).toBe(false);
    const text = await added.text();
    // The id of the removed pet is not used again.
    expect(JSON.parse(text)).toMatchObject({ id: 2, name: 'another' });
    const repeated = await app.request('/pets', create('k', { name: 'another', categoryId: 2 }));
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(await repeated.text()).toBe(text);
    expect(await (await app.request('/pets')).json()).toHaveLength(1);
  });

  test('a repetition gets the first response again after the pet was changed', async () => {
    await using app = await startApp({}, engine);
    const first = await (await app.request('/pets', create('k'))).text();
    await app.run(`update pets set name = 'changed', status = 'sold'`);
    const repeated = await app.request('/pets', create('k'));
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(await repeated.text()).toBe(first);
  });

  test('a key never returns a different pet that has the id of its removed pet', async () => {
    await using app = await startApp({}, engine);
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

  test('when requests with a used key arrive together, equal ones get its pet and different ones 422', async () => {
    await using app = await startApp({}, engine);
    const first = await (await app.request('/pets', create('k'))).text();
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          app.request('/pets', create('k', { name: 'abc'[index % 3], categoryId: 1 })),
        ),
      );
      const bodies = await Promise.all(responses.map((response) => response.text()));
      expect(responses.map(({ status }) => status)).toEqual(
        responses.map((_, index) => (index % 3 === 0 ? 201 : 422)),
      );
      expect(new Set(bodies.filter((_, index) => index % 3 === 0))).toEqual(new Set([first]));
    }
    expect(await (await app.request('/pets')).json()).toHaveLength(1);
  });

  test('when different pets are sent together with a new key, one is added and the others get 422', async () => {
    await using app = await startApp({}, engine);
    const names = [...'abcabcabcabc'];
    const responses = await Promise.all(
      names.map((name) => app.request('/pets', create('k', { name, categoryId: 1 }))),
    );
    const [pet, ...others] = Pets.parse(await (await app.request('/pets')).json());
    expect(others).toEqual([]);
    expect(responses.map(({ status }) => status)).toEqual(
      names.map((name) => (name === pet?.name ? 201 : 422)),
    );
    const isFirst = ({ status, headers }: Response) => status === 201 && !headers.has('idempotency-replayed');
    expect(responses.filter(isFirst)).toHaveLength(1);
  });

  test('two callers can use the same key', async () => {
    await using app = await startApp({}, engine);
    const other = await createKey(app.service.database.db, 'other');
    await app.request('/pets', create('k', { name: 'mine', categoryId: 1 }));
    const request = fetchWithKey(app.baseUrl, other);
    const response = await request('/pets', create('k', { name: 'theirs', categoryId: 1 }));
    expect(await response.json()).toMatchObject({ id: 2, name: 'theirs' });
  });

  test('idempotency records are deleted after their retention, and not before', async () => {
    await using app = await startApp({}, engine);
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
