import { InfiniteQueryObserver, MutationObserver, QueryClient } from '@tanstack/react-query';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { proxyResponses, storeBehindProxy } from '../../tests/support/faulty-proxy.ts';
import { createPetStore, type NewPet, type Pet, type PetStore } from '../index.ts';
import { createMemoryPetStore } from '../testing/index.ts';
import { createPetStoreQueries } from './tanstack-query.ts';

function arrange() {
  const memory = createMemoryPetStore({
    pets: Array.from({ length: 5 }, (_, index) => ({ name: `n${index}`, categoryId: 2n ** 60n })),
  });
  const store = createPetStore({ ...memory, onDeprecation: false });
  const queryClient = new QueryClient();
  onTestFinished(() => queryClient.clear());
  return { memory, store, queryClient, queries: createPetStoreQueries(store) };
}

test('listPets.queryOptions fetches one page', async () => {
  const { queryClient, queries } = arrange();
  const pets = await queryClient.fetchQuery(queries.listPets.queryOptions({ limit: 2 }));
  expectTypeOf(pets).toEqualTypeOf<Pet[]>();
  expect(pets.map(({ id }) => id)).toEqual([1, 2]);
});

test('listPets.infiniteQueryOptions fetches page after page', async () => {
  const { queryClient, queries } = arrange();
  const observer = new InfiniteQueryObserver(
    queryClient,
    queries.listPets.infiniteQueryOptions({ limit: 2 }),
  );
  onTestFinished(observer.subscribe(() => {}));
  await expect.poll(() => observer.getCurrentResult().hasNextPage).toBe(true);
  await observer.fetchNextPage();
  const { data, hasNextPage } = await observer.fetchNextPage();
  expect(data?.pages.map(({ pets }) => pets.map(({ id }) => id))).toEqual([[1, 2], [3, 4], [5]]);
  expect(hasNextPage).toBe(false);
});

test('getPet.queryOptions has a key that can be written as JSON, although ids can be bigints', async () => {
  const { queryClient, queries } = arrange();
  expect(await queryClient.fetchQuery(queries.getPet.queryOptions(1n))).toMatchObject({ id: 1 });
  const keys = [1, 2n ** 60n].map((id) => JSON.stringify(queries.getPet.queryOptions(id).queryKey));
  expect(keys).toEqual([
    '["petstore","getPet",{"petId":"1"}]',
    '["petstore","getPet",{"petId":"1152921504606846976"}]',
  ]);
});

test('createPet.mutationOptions adds a pet, and invalidating the key of listPets fetches the lists again', async () => {
  const { queryClient, queries, memory } = arrange();
  const { queryOptions, infiniteQueryOptions, key } = queries.listPets;
  await queryClient.fetchQuery(queryOptions({ status: 'sold' }));
  await queryClient.fetchInfiniteQuery(infiniteQueryOptions());
  await new MutationObserver(queryClient, queries.createPet.mutationOptions()).mutate({
    pet: { name: 'a', categoryId: 1 },
  });
  expect(memory.pets).toHaveLength(6);
  await queryClient.invalidateQueries({ queryKey: key });
  const stale = queryClient.getQueryCache().findAll({ stale: true });
  expect(stale.map(({ queryKey }) => queryKey)).toEqual([
    ['petstore', 'listPets', { status: 'sold' }],
    ['petstore', 'listPets', { isInfinite: true }],
  ]);
});

describe('createPet.mutationOptions', () => {
  const lose = proxyResponses['responds 502 with an HTML page after it forwarded the request'];

  /** What a form does when a person clicks: it makes a new pet of its fields. */
  function createForm(store: PetStore, pet: NewPet) {
    const queryClient = new QueryClient();
    onTestFinished(() => queryClient.clear());
    const queries = createPetStoreQueries(store);
    const observer = new MutationObserver(queryClient, queries.createPet.mutationOptions());
    return {
      click(idempotencyKey?: string) {
        // A component makes the options anew each time that it renders.
        observer.setOptions(queries.createPet.mutationOptions());
        return observer.mutate({ pet: { ...pet }, idempotencyKey });
      },
    };
  }

  test('adds one pet when a person clicks again after the response was lost', async () => {
    const { store, pets } = await storeBehindProxy([lose, lose], { retries: 0 });
    const form = createForm(store, { name: 'Ñandú', categoryId: 2n ** 60n });
    await expect(form.click()).rejects.toMatchObject({ isRetryable: true });
    await expect(form.click()).rejects.toMatchObject({ isRetryable: true });
    expect(await form.click()).toMatchObject({ id: 1 });
    expect(pets).toHaveLength(1);
  });

  test('adds one pet when a person clicks twice at once', async () => {
    const { store, pets } = await storeBehindProxy([]);
    const form = createForm(store, { name: 'Ñandú', categoryId: 1 });
    await Promise.all([form.click(), form.click()]);
    expect(pets).toHaveLength(1);
  });

  test('adds another pet when a person enters an equal one after a success', async () => {
    const { store, pets } = await storeBehindProxy([lose], { retries: 0 });
    const form = createForm(store, { name: 'Ñandú', categoryId: 1 });
    await expect(form.click()).rejects.toThrow();
    await form.click();
    await form.click();
    expect(pets.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('adds each of two pets that are not equal while no response arrives', async () => {
    const { store, pets } = await storeBehindProxy([lose, lose], { retries: 0 });
    const queries = createPetStoreQueries(store);
    const { mutationFn } = queries.createPet.mutationOptions();
    for (const categoryId of [1, 1n, 2]) {
      await mutationFn({ pet: { name: 'Ñandú', categoryId } }).catch(() => {});
    }
    expect(pets.map(({ categoryId }) => categoryId)).toEqual([1, 2]);
  });

  test('sends the idempotencyKey of its variables', async () => {
    const { store, pets, requests } = await storeBehindProxy([]);
    const form = createForm(store, { name: 'Ñandú', categoryId: 1 });
    await form.click('form-1');
    await form.click('form-1');
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['form-1', 'form-1']);
    expect(pets).toHaveLength(1);
  });
});

test('a query that is cancelled aborts its request, and one that fails is not retried a second time', async () => {
  const { memory, queryClient } = arrange();
  const signals: (AbortSignal | null | undefined)[] = [];
  const store = createPetStore({
    ...memory,
    retries: 0,
    fetch: (_url, { signal }) => {
      signals.push(signal);
      return signals.length === 1 ? new Promise(() => {}) : Promise.reject(new TypeError('offline'));
    },
  });
  const options = createPetStoreQueries(store).listPets.queryOptions();
  const cancelled = queryClient.fetchQuery(options).catch(() => 'cancelled');
  await expect.poll(() => signals).toHaveLength(1);
  await queryClient.cancelQueries();
  expect(await cancelled).toBe('cancelled');
  expect(signals[0]?.aborted).toBe(true);
  await expect(queryClient.fetchQuery(options)).rejects.toMatchObject({ name: 'NetworkError' });
  expect(signals).toHaveLength(2);
});
