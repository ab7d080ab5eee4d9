import { getEventListeners } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { createPetStore, type Fetch, type PetStoreOptions } from '../src/index.ts';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';

// Minutes of an outage pass in a second.
beforeEach(() => vi.useFakeTimers());

/** The condition of a service. The last two conditions are codes of Errors that it sends. */
type Condition = 'up' | 'refuses connections' | 'overloaded' | 'database_unavailable';

/** A store whose service can fail as real services do. */
function storeWithOutages(options: Partial<PetStoreOptions> = {}) {
  const memory = createMemoryPetStore();
  const service = { condition: 'up' as Condition, requests: 0, pets: memory.pets };
  const fetch: Fetch = async (url, init) => {
    service.requests += 1;
    if (service.condition === 'up') return memory.fetch(url, init);
    if (service.condition === 'refuses connections')
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:80') });
    const body = { code: service.condition, message: 'Later.', status: 503 };
    return Response.json(body, { status: 503, headers: { 'retry-after': '1' } });
  };
  // With an onRetry hook, the client prints no notice of the outage.
  return { service, store: createPetStore({ ...memory, onRetry() {}, ...options, fetch }) };
}

test('a store with default options loses no call of a busy app in an outage of 20 seconds', async () => {
  const { service, store } = storeWithOutages();
  const calls: ReturnType<typeof store.safe.createPet>[] = [];
  /** Sends ten calls each second, however long they take. */
  const sendCalls = async (condition: Condition, seconds: number) => {
    service.condition = condition;
    for (let count = 0; count < 10 * seconds; count += 1) {
      calls.push(store.safe.createPet({ name: `n${calls.length}`, categoryId: 1 }));
      await vi.advanceTimersByTimeAsync(100);
    }
  };
  await sendCalls('up', 1);
  await sendCalls('overloaded', 5);
  await sendCalls('database_unavailable', 5);
  await sendCalls('refuses connections', 10);
  await sendCalls('up', 10);
  expect((await Promise.all(calls)).filter(({ status }) => status !== 201)).toEqual([]);
  expect(new Set(service.pets.map(({ name }) => name)).size).toBe(calls.length);
  expect(service.pets).toHaveLength(calls.length);
});

test('in an outage, all calls of a store share a hundred retries and one more each second', async () => {
  const { service, store } = storeWithOutages({ timeoutMs: 20_000 });
  service.condition = 'overloaded';
  const calls = Array.from({ length: 200 }, () => store.safe.listPets());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(service.requests).toBeGreaterThanOrEqual(200 + 100);
  await vi.advanceTimersByTimeAsync(15_000);
  for (const { status } of await Promise.all(calls)) expect(status).toBe(503);
  // The first retry finds a full budget. It is sent after one second (Retry-After), so less than 19 seconds are left.
  expect(service.requests).toBe(200 + 100 + 18);
});

test('ten requests that succeed add one retry to the budget, up to a hundred retries', async () => {
  const { service, store } = storeWithOutages({ timeoutMs: 900, retryDelayMs: 0 });
  /** Counts the retries of 150 calls, which need more than the budget has, in an outage of 0.9 seconds. */
  const countRetries = async () => {
    const before = service.requests;
    service.condition = 'refuses connections';
    const all = Promise.all(Array.from({ length: 150 }, () => store.safe.listPets()));
    await vi.advanceTimersByTimeAsync(900);
    await all;
    service.condition = 'up';
    return service.requests - before - 150;
  };
  for (let count = 0; count < 50; count += 1) await store.createPet({ name: 'a', categoryId: 1 });
  expect(await countRetries()).toBe(100);
  for (let count = 0; count < 50; count += 1) await store.createPet({ name: 'a', categoryId: 1 });
  // Aborted calls add nothing.
  for (let count = 0; count < 100; count += 1) await store.safe.listPets({}, { signal: AbortSignal.abort() });
  // Five for the 50 requests that succeeded, and up to two for the 1.8 seconds of both outages.
  expect(await countRetries()).toSatisfy((count) => count >= 5 && count <= 7);
});

test('fake timers, which set the clock back, take no retries from the budget', async () => {
  vi.advanceTimersByTime(200_000);
  const { service, store } = storeWithOutages({ retries: 1, retryDelayMs: 0 });
  vi.useFakeTimers();
  service.condition = 'refuses connections';
  await Promise.all([store.safe.listPets(), vi.advanceTimersByTimeAsync(60_000)]);
  expect(service.requests).toBe(2);
});

test('a call that has ended leaves no timer, and no listener on its signal', async () => {
  const { service, store } = storeWithOutages();
  const { signal } = new AbortController();
  service.condition = 'overloaded';
  const call = store.safe.createPet({ name: 'a', categoryId: 1 }, { signal });
  await vi.advanceTimersByTimeAsync(500);
  service.condition = 'up';
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await call).toMatchObject({ status: 201 });
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('timeoutMs and attemptTimeoutMs of Infinity set no time limit', async () => {
  const fetch = () => new Promise<Response>((end) => setTimeout(() => end(Response.json([])), 100_000));
  const { store } = storeWithOutages({ timeoutMs: Infinity, attemptTimeoutMs: Infinity });
  const call = store.safe.listPets({}, { fetch });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(await call).toMatchObject({ status: 200 });
});

test('calls look for a retry in the budget after random delays of up to a second, until their signal aborts', async () => {
  using _random = vi.spyOn(Math, 'random').mockReturnValue(0.4);
  const { service, store } = storeWithOutages({ timeoutMs: 60_000, retryDelayMs: 0 });
  service.condition = 'refuses connections';
  const controller = new AbortController();
  const calls = Array.from({ length: 200 }, () => store.safe.listPets({}, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(1_100);
  expect(service.requests, 'calls look at 800 and 1,200 ms for the retry added at 1,000 ms').toBe(200 + 100);
  await vi.advanceTimersByTimeAsync(9_000);
  controller.abort();
  await vi.advanceTimersByTimeAsync(1);
  for (const call of calls) expect(await call).toMatchObject({ error: { code: 'aborted' } });
});

test('a call that its onRetry hook aborts ends at once', async () => {
  const controller = new AbortController();
  const { service, store } = storeWithOutages({ onRetry: () => controller.abort() });
  service.condition = 'overloaded';
  const call = store.safe.listPets({}, { signal: controller.signal });
  await vi.advanceTimersByTimeAsync(1);
  expect(await call).toMatchObject({ error: { code: 'aborted' } });
  expect(vi.getTimerCount()).toBe(0);
});
