import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from './memory-pet-store.ts';

// The conformance suite's own tests show that an in-memory pet store responds as the interface says.
test('an in-memory pet store responds below its base URL, which may have a path and slashes and a query at its end', async () => {
  const memory = createMemoryPetStore({ baseUrl: 'https://pets.example/shops/7/v1//?a=1' });
  expect([await createPetStore(memory).createPet({ name: 'Ada', categoryId: 7 })]).toEqual(memory.pets);
});

test('an in-memory pet store adds no pet if the body is empty or begins with a byte order mark, or the signal has aborted', async () => {
  const { fetch, baseUrl, apiKey, pets } = createMemoryPetStore();
  const authorization = `Bearer ${apiKey}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const body = '{"name":"Ada","categoryId":7}';
  const create = (init: RequestInit) => fetch(`${baseUrl}/pets`, { method: 'POST', headers, ...init });
  const errorOf = async (init: RequestInit) => (await create(init)).json();
  expect(await errorOf({ headers: { authorization } })).toMatchObject({ code: 'invalid_body' });
  expect(await errorOf({ body: `\ufeff${body}` })).toMatchObject({ code: 'malformed_json' });
  await expect(create({ body, signal: AbortSignal.abort() })).rejects.toThrow();
  expect(pets).toEqual([]);
});

test('when only a cursor is sent, the next links of an in-memory pet store keep its status filter', async () => {
  const sold = { name: 'Ada', categoryId: 7, status: 'sold' } as const;
  const pets = [sold, sold, { name: 'Bob', categoryId: 7 }, sold];
  const store = createPetStore(createMemoryPetStore({ pets }));
  const [first] = await Array.fromAsync(store.pets({ status: 'sold', pageSize: 1 }).pages());
  const others = store.pets({ cursor: first?.next, pageSize: 1 });
  expect(await Array.fromAsync(others, ({ id }) => id)).toEqual([2, 4]);
});
