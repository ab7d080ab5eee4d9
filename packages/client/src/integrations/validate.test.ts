import { Pet, stringifyJson } from '@petstore/contract';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../tests/support/stub-service.ts';
import { errorOf, storeWithReply } from '../../tests/support/test-store.ts';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/index.ts';
import { validate } from './validate.ts';

const pet = Pet.parse({ id: 1, name: 'a', categoryId: 1 });

describe('validate', () => {
  test('accepts the responses of the service', async () => {
    const store = createPetStore({ ...createMemoryPetStore(), validate, onDeprecation: false });
    const { id } = await store.createPet({ name: 'a', categoryId: 2n ** 63n - 1n, status: 'sold' });
    expect(await store.listPets()).toHaveLength(1);
    expect(await store.getPet(id)).toMatchObject({ id, name: 'a' });
    expect(await store.safe.getPet(99)).toMatchObject({ status: 404 });
    expect(await store.safe.createPet({ name: '\0', categoryId: 1 })).toMatchObject({ status: 400 });
  });

  test.each<[string, Reply]>([
    ['an unknown status', { body: JSON.stringify({ ...pet, status: 'lost' }) }],
    ['an id beyond int64', { body: stringifyJson({ ...pet, id: 2n ** 63n }) }],
  ])('rejects %s, which the client alone accepts', async (_what, reply) => {
    const { store } = await storeWithReply(reply, { validate });
    expect(await errorOf(store.getPet(1))).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining('does not match its schema'),
      cause: expect.any(Error),
    });
    const { store: lenient } = await storeWithReply(reply);
    expect(await lenient.safe.getPet(1)).toMatchObject({ status: reply.status ?? 200 });
  });
});
