import { expect, test, vi } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { losses, refuse, storeBehind } from './proxy.ts';
import { failure } from './store.ts';

const stalls = [
  losses['delays the request beyond the time limit'],
  losses['delays the rest of the body beyond the time limit'],
];

async function timed<Result>(work: () => Promise<Result>) {
  const start = performance.now();
  return { result: await work(), milliseconds: performance.now() - start };
}

test('an attempt ends after its time, the store’s or the call’s, its body included', async () => {
  for (const stall of stalls) {
    const { store } = await storeBehind([stall, stall], { attemptTimeoutMs: 60_000, retries: 0 });
    const { result, milliseconds } = await timed(() => failure(store.listPets({}, { attemptTimeoutMs: 50 })));
    expect(result).toMatchObject({ code: 'timeout', retryable: true, cause: { name: 'TimeoutError' } });
    expect(milliseconds).toSatisfy((passed) => passed >= 45 && passed < 10_000);
  }
});

test('a call ends after its time, however many attempts are left', async () => {
  const [stall] = stalls;
  const limits = { timeoutMs: 120, attemptTimeoutMs: 50, retries: 99, retryDelayMs: 0 };
  const { store, requests } = await storeBehind(Array(99).fill(stall), limits);
  const { result, milliseconds } = await timed(() => failure(store.listPets()));
  expect(result).toMatchObject({ code: 'timeout' });
  expect(milliseconds).toSatisfy((passed) => passed >= 100 && passed < 10_000);
  expect(requests.length).toBeLessThanOrEqual(3);
});

test('a call ends after its time also when its attempt could go on', async () => {
  const { store, requests } = await storeBehind(stalls.slice(0, 1), {
    timeoutMs: 50,
    attemptTimeoutMs: 60_000,
  });
  const { result, milliseconds } = await timed(() => failure(store.listPets()));
  expect(result).toMatchObject({ code: 'timeout' });
  expect(milliseconds).toSatisfy((passed) => passed >= 45 && passed < 10_000);
  expect(requests).toHaveLength(1);
});

test('the request of an attempt that ran out of time is given up', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch = (_url: string, { signal }: RequestInit) => {
    signals.push(signal);
    return new Promise<Response>(() => {});
  };
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'k', fetch, retries: 0 });
  await failure(store.listPets({}, { attemptTimeoutMs: 5 }));
  expect(signals).toMatchObject([{ aborted: true }]);
});

test('a fetch that heeds no signal is not waited for either', async () => {
  const fetch = () => new Promise<Response>(() => {});
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'k', fetch, retries: 0 });
  expect(await failure(store.listPets({}, { attemptTimeoutMs: 5 }))).toMatchObject({ code: 'timeout' });
});

const moments = [
  { during: 'the request', faults: stalls.slice(0, 1), limits: { attemptTimeoutMs: 60_000 } },
  { during: 'the body', faults: stalls.slice(1), limits: { attemptTimeoutMs: 60_000 } },
  { during: 'the wait before a retry', faults: [refuse(503, 'overloaded', '20')], limits: {} },
];

test.each(moments)('a signal ends a call during $during', async ({ faults, limits }) => {
  const { store, requests } = await storeBehind(faults, limits);
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  const call = failure(store.createPet({ name: 'a', categoryId: 1 }, { signal: controller.signal }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  setTimeout(() => controller.abort(reason), 50);
  const { result, milliseconds } = await timed(() => call);
  expect(result).toMatchObject({ name: 'NoAnswerError', code: 'aborted', retryable: false, cause: reason });
  expect(milliseconds).toBeLessThan(10_000);
  expect(requests).toHaveLength(1);
});

test('a signal that has aborted before sends nothing, not even to a fetch that heeds none', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return Response.json([]);
  };
  const onRequest = () => asked.push('hook');
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'k', fetch, onRequest });
  expect(await failure(store.listPets({}, { signal: AbortSignal.abort() }))).toMatchObject({
    code: 'aborted',
  });
  expect(asked).toEqual([]);
});
