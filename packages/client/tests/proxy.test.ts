import { afterAll, describe, expect, test, vi } from 'vitest';
import {
  closeProxies,
  DELAYED_TIMEOUT_MS,
  errorResponse,
  harmlessChanges,
  isDelay,
  lostResponses,
  proxyResponses,
  storeBehindProxy,
} from './support/faulty-proxy.ts';
import { errorOf, newPet, serveReplies } from './support/stub-service.ts';

afterAll(closeProxies);

/** Each fault, with the error of a call if every attempt meets the fault. */
const faults = [
  ...Object.entries(lostResponses).map(([what, loss]) => {
    const error = isDelay(loss)
      ? {
          name: 'TimeoutError',
          code: 'timeout',
          message: expect.stringContaining(`(attempt 3): timed out after ${DELAYED_TIMEOUT_MS} ms`),
          cause: expect.objectContaining({ name: 'TimeoutError' }),
        }
      : { name: 'NetworkError', code: 'network_error' };
    return [what, loss, { status: undefined, cause: expect.any(Error), ...error }] as const;
  }),
  ...Object.entries(proxyResponses).map(([what, respond]) => {
    // The description of the response has its status.
    const status = Number(/\d+/.exec(what));
    return [what, respond, { name: 'UnexpectedResponseError', code: 'unexpected_response', status }] as const;
  }),
];

test.concurrent.each(faults)(
  'behind a proxy that %s, createPet adds one pet, however often it is called with its key',
  async (_what, fault, expected) => {
    const { store, requests, pets } = await storeBehindProxy(Array(4).fill(fault));
    const error = await errorOf(store.createPet(newPet, { retries: 2 }));
    expect(error).toMatchObject({ ...expected, isRetryable: true });
    // The first attempt and two retries. On a busy machine, a request may not arrive within its timeout.
    if (expected.name !== 'TimeoutError') expect(requests).toHaveLength(3);
    const { idempotencyKey } = error;
    // The first request of this call meets the fault too.
    expect(await store.createPet(newPet, { idempotencyKey })).toEqual({ id: 1, ...newPet });
    expect(pets).toEqual([{ id: 1, ...newPet }]);
    expect([...new Set(requests.map(({ headers }) => headers['idempotency-key']))]).toEqual([idempotencyKey]);
  },
);

const changes = Object.entries(harmlessChanges);
test.concurrent.each(changes)('a proxy that %s does not change any result', async (_what, change) => {
  const { store, requests, pets } = await storeBehindProxy(Array(3).fill(change));
  expect(await store.createPet(newPet)).toEqual({ id: 1, ...newPet });
  expect(await store.listPets()).toEqual(pets);
  expect(await store.safe.getPet(2)).toMatchObject({ status: 404, body: { code: 'pet_not_found' } });
  expect(requests).toHaveLength(3);
});

test.each([301, 302, 303, 307, 308])('a redirect with status %i is not followed', async (status) => {
  const other = await serveReplies({ status: 201, body: '{"id":1,"name":"a","categoryId":1}' });
  // Neither the Retry-After nor the code of the body makes the client retry a redirect.
  const headers = { 'retry-after': '0', location: `${other.baseUrl}/pets` };
  const redirect = errorResponse(status, 'overloaded', headers);
  const { store, requests, pets } = await storeBehindProxy([redirect, redirect]);
  const expected = { name: 'UnexpectedResponseError', status, isRetryable: false };
  expect(await errorOf(store.createPet(newPet))).toMatchObject(expected);
  expect(await errorOf(store.listPets())).toMatchObject(expected);
  expect([requests.length, pets.length, other.requests.length]).toEqual([2, 0, 0]);
});

describe.concurrent('a Retry-After', () => {
  const limited = (retryAfter: string) => errorResponse(429, 'rate_limited', { 'retry-after': retryAfter });

  test('in seconds delays the next attempt', async () => {
    const { store, requests } = await storeBehindProxy([limited('1')], { maxRetryAfterMs: 1_000 });
    const start = performance.now();
    expect(await store.listPets()).toEqual([]);
    // A timer may end a few milliseconds early.
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
    expect(requests).toHaveLength(2);
  });

  test('of a 409 for a creation in flight is followed by a retry', async () => {
    const inFlight = errorResponse(409, 'idempotency_key_in_flight', { 'retry-after': '0' });
    const { store, pets } = await storeBehindProxy([inFlight, inFlight], { retries: 2 });
    // The option of the call takes precedence over the option of the store.
    expect(await errorOf(store.createPet(newPet, { retries: 0 }))).toMatchObject({ isRetryable: true });
    expect(await store.createPet(newPet)).toMatchObject(newPet);
    expect(pets).toHaveLength(1);
  });

  test.each([
    ['a minute, the default of maxRetryAfterMs,', '61', { timeoutMs: 120_000 }],
    ['the time that is left', '40', { timeoutMs: 40_000 }],
    ['maxRetryAfterMs', '2', { maxRetryAfterMs: 1_999 }],
  ])('longer than %s fails the call at once with retryAfterMs', async (_what, retryAfter, options) => {
    const onRetry = vi.fn();
    const { store, requests } = await storeBehindProxy([limited(retryAfter)], { ...options, onRetry });
    const expected = { code: 'rate_limited', isRetryable: true, retryAfterMs: Number(retryAfter) * 1_000 };
    expect(await errorOf(store.listPets())).toMatchObject(expected);
    expect(requests).toHaveLength(1);
    expect(onRetry).not.toHaveBeenCalled();
  });
});
