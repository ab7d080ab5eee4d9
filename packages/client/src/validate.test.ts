import { describe, expect, test } from 'vitest';
import type { Reply } from '../tests/service.ts';
import { failure, storeAnswering } from '../tests/store.ts';
import { createPetStore } from './index.ts';
import { createMemoryPetStore } from './testing/index.ts';
import { validate } from './validate.ts';

describe('With validate,', () => {
  test('the answers of the service pass', async () => {
    const store = createPetStore({ ...createMemoryPetStore(), validate, onDeprecation: false });
    const { id } = await store.createPet({ name: 'a', categoryId: 2n ** 63n - 1n, status: 'sold' });
    expect(await store.listPets()).toHaveLength(1);
    expect(await store.getPet(id)).toMatchObject({ id, name: 'a' });
    expect(await store.safe.getPet(99)).toMatchObject({ status: 404 });
    expect(await store.safe.createPet({ name: '\0', categoryId: 1 })).toMatchObject({ status: 400 });
  });

  test.each<[string, Reply]>([
    ['a status that there is not', { body: '{"id":1,"name":"a","categoryId":1,"status":"lost"}' }],
    ['an id beyond int64', { body: '{"id":9223372036854775808,"name":"a","categoryId":1}' }],
  ])('%s is no answer of the contract; without, it is one', async (_what, reply) => {
    const { store } = await storeAnswering(reply, { validate });
    expect(await failure(store.getPet(1))).toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining("does not keep to the contract's schema"),
      cause: expect.any(Error),
    });
    const { store: trusting } = await storeAnswering(reply);
    expect(await trusting.safe.getPet(1)).toMatchObject({ status: reply.status ?? 200 });
  });

  test('an error code that a newer service may add is accepted', async () => {
    const { store } = await storeAnswering(
      { status: 404, body: '{"code":"teapot","message":"Sorry.","status":404}' },
      { validate },
    );
    expect(await failure(store.getPet(1))).toMatchObject({ code: 'teapot', status: 404 });
  });

  test('members that a newer service may add stay', async () => {
    const { store } = await storeAnswering(
      { body: '[{"id":1,"name":"a","categoryId":1,"colour":"grey"}]' },
      { validate },
    );
    expect(await store.listPets()).toEqual([{ id: 1, name: 'a', categoryId: 1, colour: 'grey' }]);
  });
});
