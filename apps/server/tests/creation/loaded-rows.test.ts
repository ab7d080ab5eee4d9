import { encodeCursor, Pet } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { creation } from '@petstore/test-support/servers/fetch-with-key';
import { describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '#support/app';

const create = async (app: RunningApp) =>
  Number(Pet.parse(await (await app.request('/pets', creation())).json()).id);

describe.each(engines)('over %s', (engine) => {
  test('new pets get ids above the rows that another program has inserted', async () => {
    await using app = await startApp({}, { engine });
    const first = await create(app);
    const rows = Array.from({ length: 20 }, (_, row) => `(${first + 1 + row}, 'loaded', 1)`);
    await app.run(`insert into pets (id, name, category_id) values ${rows.join()}`);

    const created = await Promise.all([1, 2, 3].map(() => create(app)));

    expect(created.toSorted((one, other) => one - other)).toEqual([first + 21, first + 22, first + 23]);
  });

  test('createPet returns 503 ids_exhausted when no id is left, and logs it', async () => {
    await using app = await startApp({}, { engine });
    await create(app);
    await app.run(`insert into pets (id, name, category_id) values (${2n ** 63n - 2n}, 'by hand', 1)`);
    const add = () => app.request('/pets', creation());
    expect((await add()).status).toBe(201);
    const refused = await add();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'ids_exhausted' });
    expect(JSON.stringify(app.logLines())).toContain('until an operator acts');
    expect((await app.request('/pets')).status).toBe(200);
    // Resetting the sequence is not enough: the pet with the highest id still blocks an insert.
    if (engine === 'sqlite') await app.run('update sqlite_sequence set seq = 1');
    const again = await add();
    expect(await again.json()).toMatchObject({ code: 'ids_exhausted' });
    const behindLast = await app.request(`/pets?cursor=${encodeCursor({ after: 2n ** 63n - 1n })}`);
    expect([behindLast.status, await behindLast.json()]).toEqual([200, []]);
  });

  test('the pet with the lowest id is on the first page of all pets and of its status', async () => {
    await using app = await startApp({}, { engine });
    const lowest = -(2n ** 63n);
    await app.run(`insert into pets (id, name, category_id, status) values (${lowest}, 'low', 1, 'sold')`);
    for (const query of ['', '?status=sold', '?limit=1']) {
      expect(await (await app.request(`/pets${query}`)).text()).toContain(`"id":${lowest},`);
    }
  });
});
