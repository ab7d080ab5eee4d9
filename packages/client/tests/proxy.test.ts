import { describe, expect, test } from 'vitest';
import { answers, losses, refuse, storeBehind } from './proxy.ts';
import { failure } from './store.ts';

const animal = { name: 'Ñandú 🦤', categoryId: 9007199254740993n };
const faults = Object.entries({ ...losses, ...answers });

describe.concurrent.each(faults)('Behind a proxy that %s,', (_what, fault) => {
  test('createPet is tried three times and adds one animal', async () => {
    const { store, requests, animals } = await storeBehind([fault, fault]);
    expect(await store.createPet(animal)).toEqual({ id: 1, ...animal });
    expect(animals).toEqual([{ id: 1, ...animal }]);
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    expect([requests.length, keys.size]).toEqual([3, 1]);
  });

  test('createPet that fails for good can be called again with its key, and there is one animal', async () => {
    const { store, requests, animals } = await storeBehind([fault, fault, fault]);
    const { idempotencyKey, retryable } = await failure(store.createPet(animal));
    expect(requests[0]?.headers['idempotency-key']).toBe(idempotencyKey);
    expect(retryable).toBe(true);
    expect(await store.createPet(animal, { idempotencyKey })).toEqual({ id: 1, ...animal });
    expect(animals).toHaveLength(1);
  });

  test('a listing is whole', async () => {
    const { store } = await storeBehind([fault, fault]);
    expect(await store.listPets()).toEqual([]);
  });
});

test.concurrent.each(Object.entries(losses))(
  'When the proxy %s every time, there was no answer',
  async (what, loss) => {
    const { store, requests } = await storeBehind([loss, loss, loss]);
    expect(await failure(store.createPet(animal))).toMatchObject({
      name: 'NoAnswerError',
      code: what.startsWith('delays') ? 'timeout' : 'no_answer',
      status: undefined,
      cause: expect.any(Error),
    });
    expect(requests).toHaveLength(3);
  },
);

test.concurrent.each(Object.entries(answers))(
  '%s every time is told as no answer of the service',
  async (what, answer) => {
    const { store, requests } = await storeBehind([answer, answer, answer]);
    const status = Number(/\d+/.exec(what));
    expect(await failure(store.createPet(animal))).toMatchObject({ code: 'unexpected_answer', status });
    expect(requests).toHaveLength(3);
  },
);

describe.concurrent('Retry-After', () => {
  const overloaded = (retryAfter: string) => refuse(503, 'overloaded', retryAfter);

  test('is obeyed before the next attempt', async () => {
    const { store, requests } = await storeBehind([refuse(429, 'overloaded', '1')]);
    const start = performance.now();
    expect(await store.listPets()).toEqual([]);
    expect(performance.now() - start).toSatisfy((passed) => passed >= 990 && passed < 5_000);
    expect(requests).toHaveLength(2);
  });

  test('is obeyed for a creation that is still in flight', async () => {
    const { store, animals } = await storeBehind([refuse(409, 'idempotency_key_in_flight', '0')]);
    expect(await store.createPet(animal)).toMatchObject(animal);
    expect(animals).toHaveLength(1);
  });

  test.each([
    ['is longer than a minute', '61', {}],
    ['is longer than the time that is left', '40', {}],
    ['is longer than the caller allows', '2', { maxRetryAfterMs: 1_000 }],
  ])('that %s fails at once', async (_what, retryAfter, options) => {
    const { store, requests } = await storeBehind([overloaded(retryAfter)], options);
    const error = await failure(store.listPets());
    expect(error).toMatchObject({ name: 'ServiceError', code: 'overloaded', status: 503, retryable: true });
    expect(requests).toHaveLength(1);
  });
});

test.concurrent('other Errors are not tried again', async () => {
  const { store, requests } = await storeBehind([refuse(422, 'idempotency_key_reused', '0')]);
  expect(await failure(store.createPet(animal))).toMatchObject({ retryable: false });
  expect(requests).toHaveLength(1);
});

test.concurrent('how often a call is tried again is for the store or the call to say', async () => {
  const loss = losses['cuts before the work'];
  const { store, requests } = await storeBehind(Array(9).fill(loss), { retries: 1 });
  await failure(store.listPets());
  expect(requests).toHaveLength(2);
  await failure(store.listPets({}, { retries: 0 }));
  expect(requests).toHaveLength(3);
  await store.listPets({}, { retries: 6 });
  expect(requests).toHaveLength(10);
});

test.concurrent('the safe form is tried again too, and gives the last answer', async () => {
  const busy = refuse(503, 'overloaded', '0');
  const { store, requests } = await storeBehind([busy, busy, busy]);
  expect(await store.safe.listPets()).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  expect(requests).toHaveLength(3);
});
