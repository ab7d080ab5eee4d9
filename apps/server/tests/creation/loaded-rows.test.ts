import { encodeCursor, int64Bounds, Pet, parseJson } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';

const create = async (app: RunningApp) =>
  Number(Pet.parse(await (await app.request('/pets', creation())).json()).id);

describe.each(engines)('over %s', (engine) => {
  test('new pets get ids above a row that another program has inserted', async () => {
    await using app = await startApp({}, { engine });
    const loaded = (await create(app)) + 20; // The gap has room for the pets created below.
    await app.run(`insert into pets (id, name, category_id) values (${loaded}, 'loaded', 1)`);
    const created = await Promise.all([1, 2, 3].map(() => create(app)));

    expect(created.toSorted((one, other) => one - other)).toEqual([loaded + 1, loaded + 2, loaded + 3]);
  });

  test('once a pet has the highest id, createPet logs and returns 503 ids_exhausted, even if the pet is moved or the sequence reset', async () => {
    await using app = await startApp({}, { engine });
    const { maximum } = int64Bounds;
    await app.run(`insert into pets (id, name, category_id) values (${maximum - 1n}, 'by hand', 1)`);
    const add = async () => parseJson(await (await app.request('/pets', creation())).text());
    expect(await add()).toMatchObject({ id: maximum });
    expect(await add()).toMatchObject({ code: 'ids_exhausted', status: 503 });
    expect(JSON.stringify(app.logLines())).toContain('until an operator acts');
    // Moving the pet is not enough: the sequence still blocks an insert.
    await app.run(`update pets set id = 7 where id = ${maximum}`);
    expect(await add()).toMatchObject({ code: 'ids_exhausted' });
    // Resetting the sequence is not enough: the pet with the highest id still blocks an insert.
    await app.run(`update pets set id = ${maximum} where id = 7`);
    await app.run(engine === 'sqlite' ? 'delete from sqlite_sequence' : `select setval('pets_id_seq', 1)`);
    expect(await add()).toMatchObject({ code: 'ids_exhausted' });
  });

  test('pages of all pets and of a status begin with the lowest possible id and end with the highest', async () => {
    await using app = await startApp({}, { engine });
    const { minimum, maximum } = int64Bounds;
    await app.run(`insert into pets (id, name, category_id, status)
      values (${minimum}, 'low', 1, 'sold'), (${maximum}, 'high', 1, 'sold')`);
    const inOrder = new RegExp(`"id":${minimum},.*"id":${maximum},`);
    for (const query of ['', '?status=sold', '?limit=2'])
      expect(await (await app.request(`/pets${query}`)).text()).toMatch(inOrder);
    expect(await (await app.request(`/pets?cursor=${encodeCursor({ after: maximum })}`)).json()).toEqual([]);
  });
});
