import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { createPetStore, type PetStore } from '../src/index.ts';
import { type Condition, startServiceWithOutages } from './support/service-with-outages.ts';

/** Makes one call after another, 5 ms apart, until the signal aborts. */
async function loop(signal: AbortSignal, call: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await call();
    await sleep(5);
  }
}

/** Begins calls at a steady rate, however long they take. */
async function arrive(signal: AbortSignal, everyMs: number, call: () => Promise<unknown>): Promise<void> {
  const calls: Promise<unknown>[] = [];
  while (!signal.aborted) {
    calls.push(call());
    await sleep(everyMs);
  }
  await Promise.all(calls);
}

/** Adds pets, each with a name of its own, and lists pets. Returns the names of the pets that were added. */
async function work(store: PetStore, signal: AbortSignal): Promise<string[]> {
  const added: string[] = [];
  let count = 0;
  const addPet = async () => {
    count += 1;
    added.push((await store.createPet({ name: `n${count}`, categoryId: 1 })).name);
  };
  const creators = Array.from({ length: 8 }, () => loop(signal, addPet));
  const readers = Array.from({ length: 8 }, () => loop(signal, () => store.listPets({ limit: 1 })));
  await Promise.all([...creators, ...readers, arrive(signal, 50, addPet)]);
  return added;
}

test.concurrent.for<Condition[]>([
  ['refuses connections'],
  ['database_unavailable'],
  ['closes connections', 'refuses connections', 'overloaded', 'database_unavailable', 'refuses connections'],
])(
  'a store with default options loses no call of a busy app in 15 seconds of %j',
  async (conditions, { expect }) => {
    await using service = await startServiceWithOutages();
    const store = createPetStore({ baseUrl: service.baseUrl, apiKey: service.apiKey });
    const controller = new AbortController();
    const working = work(store, controller.signal);
    await sleep(500);
    for (const condition of conditions) {
      await service.become(condition);
      await sleep(15_000 / conditions.length);
    }
    const before = service.pets.length;
    await service.become('up');
    await expect.poll(() => service.pets.length).toBeGreaterThan(before + 100);
    controller.abort();
    const added = await working;
    expect(service.pets.map(({ name }) => name).toSorted()).toEqual(added.toSorted());
  },
);

test.concurrent('the retry budget limits the requests of a busy store in an outage', async ({ expect }) => {
  await using service = await startServiceWithOutages();
  await service.become('overloaded');
  const options = { baseUrl: service.baseUrl, apiKey: service.apiKey, timeoutMs: 6_000 };
  const store = createPetStore(options);
  const start = performance.now();
  const calls = Array.from({ length: 200 }, () => store.safe.listPets());
  for (const { status } of await Promise.all(calls)) expect(status).not.toBe(200);
  // One request for each call, 100 retries of the initial budget, and one retry each second.
  const seconds = (performance.now() - start) / 1_000;
  expect(service.requests()).toBeLessThanOrEqual(200 + 100 + Math.ceil(seconds));
});

test.concurrent('calls that wait for the retry budget continue once the service responds again', async ({
  expect,
}) => {
  await using service = await startServiceWithOutages();
  await service.become('overloaded');
  // The initial budget is enough for 100 calls. At one token a second, the others would wait longer than this.
  const limits = { timeoutMs: 60_000, attemptTimeoutMs: 60_000 };
  const store = createPetStore({ baseUrl: service.baseUrl, apiKey: service.apiKey, ...limits });
  const calls = Array.from({ length: 200 }, () => store.listPets());
  await expect.poll(() => service.requests()).toBeGreaterThanOrEqual(200 + 100);
  await service.become('up');
  for (const pets of await Promise.all(calls)) expect(pets).toEqual([]);
});
