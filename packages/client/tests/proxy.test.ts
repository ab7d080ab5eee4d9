import { describe, expect, test } from 'vitest';
import { answers, detours, losses, refuse, storeBehind, twice } from './proxy.ts';
import { serve } from './service.ts';
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

test.concurrent.each(Object.entries(detours))('A proxy that %s does no harm', async (_what, detour) => {
  const { store, requests, animals } = await storeBehind(Array(9).fill(detour));
  expect(await store.createPet(animal)).toEqual({ id: 1, ...animal });
  expect(await store.listPets()).toEqual(animals);
  expect(await store.safe.getPet(2)).toMatchObject({ status: 404, body: { code: 'pet_not_found' } });
  expect(requests).toHaveLength(3);
});

test.concurrent('Behind a proxy that answers twice, each call gets its own answer', async () => {
  const { store, animals } = await storeBehind(Array(20).fill(twice));
  const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
  for (const name of names) expect(await store.createPet({ name, categoryId: 1 })).toMatchObject({ name });
  expect(animals.map(({ name }) => name)).toEqual(names);
});

describe.each([301, 302, 303, 307, 308])('A redirect with status %i', (status) => {
  test.each(['of the same origin', 'of another origin'])(
    'to an address %s is not followed',
    async (where) => {
      const other = await serve({ status: 201, body: '{"id":1,"name":"a","categoryId":1}' });
      const location = where === 'of another origin' ? `${other.baseUrl}/pets` : '/v1/pets?moved';
      const redirect = refuse(status, 'overloaded', '0', { location });
      const { store, requests, animals } = await storeBehind([redirect, redirect]);
      const expected = { name: 'UnexpectedAnswerError', status, retryable: false };
      expect(await failure(store.createPet(animal))).toMatchObject(expected);
      expect(await failure(store.listPets())).toMatchObject(expected);
      expect([requests.length, animals.length, other.requests.length]).toEqual([2, 0, 0]);
    },
  );
});

describe.concurrent('Retry-After', () => {
  const overloaded = (retryAfter: string) => refuse(503, 'overloaded', retryAfter);

  test('is obeyed before the next attempt', async () => {
    const { store, requests } = await storeBehind([refuse(429, 'overloaded', '1')]);
    const start = performance.now();
    expect(await store.listPets()).toEqual([]);
    expect(performance.now() - start).toSatisfy((passed) => passed >= 990 && passed < 5_000);
    expect(requests).toHaveLength(2);
  });

  test('is obeyed as a date too', async () => {
    const date = new Date(Date.now() + 3_000).toUTCString();
    const { store, requests } = await storeBehind([refuse(429, 'overloaded', date)]);
    const start = performance.now();
    expect(await store.listPets()).toEqual([]);
    expect(performance.now() - start).toSatisfy((passed) => passed >= 990 && passed < 10_000);
    expect(requests).toHaveLength(2);
  });

  test.each(['Thu, 01 Jan 2026 00:00:00 GMT', 'soon', '-1', '', '1e9'])(
    'that is over or unreadable (%o) does not keep a call waiting',
    async (retryAfter) => {
      const { store, requests } = await storeBehind([refuse(429, 'overloaded', retryAfter)]);
      const start = performance.now();
      expect(await store.listPets()).toEqual([]);
      expect(performance.now() - start).toBeLessThan(5_000);
      expect(requests).toHaveLength(2);
    },
  );

  test('is obeyed for a creation that is still in flight', async () => {
    const { store, animals } = await storeBehind([refuse(409, 'idempotency_key_in_flight', '0')]);
    expect(await store.createPet(animal)).toMatchObject(animal);
    expect(animals).toHaveLength(1);
  });

  test.each([
    ['is longer than a minute', '61', {}],
    ['is longer than the time that is left', '40', {}],
    ['is longer than the caller allows', '2', { maxRetryAfterMs: 1_000 }],
  ])('that %s fails at once, and the error says how long', async (_what, retryAfter, options) => {
    const { store, requests } = await storeBehind([overloaded(retryAfter)], options);
    const error = await failure(store.listPets());
    expect(error).toMatchObject({ name: 'ServiceError', code: 'overloaded', status: 503, retryable: true });
    expect(error).toMatchObject({ retryAfterMs: Number(retryAfter) * 1_000 });
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
