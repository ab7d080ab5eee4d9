import { afterAll, expect, test, vi } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { closeProxies, lostResponses, storeBehindProxy } from './support/faulty-proxy.ts';
import { errorOf } from './support/stub-service.ts';

afterAll(closeProxies);

test('a timeout also ends a call whose fetch ignores the signal', async () => {
  const signals: unknown[] = [];
  const fetch = async (_url: string, { signal }: RequestInit) => {
    signals.push(signal);
    return new Promise<Response>(() => {});
  };
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'k', fetch, retries: 0 });
  expect(await errorOf(store.listPets({}, { attemptTimeoutMs: 5 }))).toMatchObject({ code: 'timeout' });
  expect(signals).toMatchObject([{ aborted: true }]);
});

test.each([
  ['the request', lostResponses['delays the request beyond the timeout']],
  ['the response body', lostResponses['delays the rest of the response body beyond the timeout']],
])('a signal aborts a call during %s', async (_moment, fault) => {
  const { store, requests } = await storeBehindProxy([fault], { attemptTimeoutMs: 60_000 });
  const controller = new AbortController();
  // Without an aborted signal, the client takes a ReferenceError of `fetch` for a bug, and throws it unchanged.
  const reason = new ReferenceError('changed my mind');
  reason.cause = reason; // An error can be its own cause. The client must not follow its causes forever.
  const call = errorOf(store.createPet({ name: 'a', categoryId: 1 }, { signal: controller.signal }));
  await expect.poll(() => requests).toHaveLength(1);
  // In the second case, the first half of the response body has arrived by then.
  setTimeout(() => controller.abort(reason), 50);
  const error = await call;
  expect(error).toMatchObject({ name: 'AbortError', code: 'aborted', isRetryable: false, cause: reason });
  expect(error.message).toMatch(/\(attempt 1\): changed my mind$/);
  await expect.poll(() => requests.map(({ socket }) => socket.destroyed)).toEqual([true]);
});

test('a call with an aborted signal sends nothing and calls no hook', async () => {
  const fetch = vi.fn(async () => Response.json([]));
  const hook = vi.fn();
  const hooks = { onRequest: hook, onResponse: hook, onError: hook, onRetry: hook };
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'k', fetch, ...hooks });
  const error = await errorOf(store.listPets({}, { signal: AbortSignal.abort() }));
  const message = 'No request for listPets (attempt 1): This operation was aborted';
  expect(error).toMatchObject({ code: 'aborted', message });
  expect(fetch).not.toHaveBeenCalled();
  expect(hook).not.toHaveBeenCalled();
});
