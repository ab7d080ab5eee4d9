import { hash } from 'node:crypto';
import { NewPet, Pet } from '@petstore/contract';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { describe, expect, test } from 'vitest';
import { startApp } from '#support/app';
import { createFirstSchema } from '#support/first-schema';
import { runSql } from '#support/sql';
import { MS_PER_MINUTE } from '../../src/database/idempotency.ts';
import { createKey } from '../../src/keys/manage.ts';
import { deleteExpiredRecords, fingerprint, IDEMPOTENCY_RETENTION_MS } from '../../src/pets/idempotency.ts';

const create = (key: string, pet: object = { name: 'a', categoryId: 1 }) => ({
  method: 'POST',
  body: JSON.stringify(pet),
  headers: { 'idempotency-key': key },
});

describe.each(engines)('over %s', (engine) => {
  test('fifty requests with one key at once add one pet and get fifty equal responses', async () => {
    await using app = await startApp({}, engine);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => app.request('/pets', create('"k"'))),
    );
    const bodies = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect([...new Set(bodies)]).toEqual([expect.stringContaining('"id":1,"name":"a"')]);
    expect(responses.filter((response) => !response.headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(await (await app.request('/pets')).json()).toHaveLength(1);
  });

  test('a key conflict does not fail the creations in the same batch', async () => {
    await using app = await startApp({}, engine);
    await app.request('/pets', create('k'));
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        app.request('/pets', create(index % 2 ? 'k' : `k${index}`, { name: 'other', categoryId: index })),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(
      responses.map((_, index) => (index % 2 ? 422 : 201)),
    );
  });

  test('a key whose pet was removed by hand is free again, for any pet', async () => {
    await using app = await startApp({}, engine);
    await app.request('/pets', create('k'));
    await runSql(app.service.database, 'delete from pets');
    const added = await app.request('/pets', create('k', { name: 'another', categoryId: 2 }));
    expect(added.status).toBe(201);
    expect(added.headers.has('idempotency-replayed')).toBe(false);
    const repeated = await app.request('/pets', create('k', { name: 'another', categoryId: 2 }));
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(await repeated.text()).toBe(await added.text());
    expect(await (await app.request('/pets')).json()).toHaveLength(1);
  });

  test('a database that the release before has served has records that both releases find', async () => {
    await using database = await temporaryDatabase(engine);
    await createFirstSchema(database.url);
    const digest = hash('sha256', '[["categoryId",1],["name","a"]]', 'base64url');
    await database.run(`insert into pets (name, category_id) values ('a', 1)`);
    await database.run(`insert into idempotency_keys values ('test:before', '${digest}', 1, ${Date.now()})`);
    await using app = await startApp({ DATABASE_URL: database.url }, engine);

    const replayed = await app.request('/pets', create('before'));
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(await replayed.json()).toMatchObject({ id: 1 });
    expect((await app.request('/pets', create('before', { name: 'b', categoryId: 1 }))).status).toBe(422);
    const { id } = Pet.parse(await (await app.request('/pets', create('now'))).json());
    const records = `select fingerprint, pet_id from idempotency_keys where key = 'test:now'`;
    expect(await runSql(app.service.database, records)).toEqual([{ fingerprint: digest, pet_id: id }]);
  });

  test('a key that the release before has used again, after its pet was removed by hand, has that pet', async () => {
    await using database = await temporaryDatabase(engine);
    await createFirstSchema(database.url);
    await using app = await startApp({ DATABASE_URL: database.url }, engine);
    await app.request('/pets', create('k'));
    await database.run('delete from pets');
    await database.run(`insert into pets (id, name, category_id) values (7, 'a', 1)`);
    await database.run('update idempotency_keys set pet_id = 7');
    const repeated = await app.request('/pets', create('k'));
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(await repeated.json()).toMatchObject({ id: 7 });
  });

  test('a new database has compact records only, and refuses the release before', async () => {
    await using app = await startApp({}, engine);
    const { database } = app.service;
    await app.request('/pets', create('k'));
    expect(await runSql(database, 'select pet_id from idempotency_records')).toEqual([{ pet_id: 1 }]);
    expect(await runSql(database, 'select pet_id from idempotency_keys')).toEqual([]);
    const oldest = 'select max(serves_since) as migration from schema_compatibility';
    expect(await runSql(database, oldest)).toEqual([{ migration: '006-compact-records' }]);
  });

  test('two callers can use the same key', async () => {
    await using app = await startApp({}, engine);
    const other = await createKey(app.service.database, 'other');
    await app.request('/pets', create('k', { name: 'mine', categoryId: 1 }));
    const response = await fetch(`${app.baseUrl}/pets`, {
      ...create('k', { name: 'theirs', categoryId: 1 }),
      headers: {
        'idempotency-key': 'k',
        'content-type': 'application/json',
        authorization: `Bearer ${other}`,
      },
    });
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
    await database.transact((transaction) => deleteExpiredRecords(transaction, now));
    expect(await runSql(database, 'select pet_id from idempotency_records')).toEqual([{ pet_id: 2 }]);
  });
});

test('a fingerprint covers the properties that are not left out, so that it stays the same when a release adds one', () => {
  const digest = (text: string) => hash('sha256', text, 'base64url');
  const fingerprintOf = (pet: unknown) => fingerprint(NewPet.parse(pet));
  expect(fingerprintOf({ name: 'a', categoryId: 1 })).toBe(digest('[["categoryId",1],["name","a"]]'));
  expect(fingerprintOf({ status: 'sold', name: 'a', categoryId: 2n ** 63n - 1n })).toBe(
    digest('[["categoryId",9223372036854775807],["name","a"],["status","sold"]]'),
  );
});
