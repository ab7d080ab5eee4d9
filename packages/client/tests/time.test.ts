import { expect, test } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { errorResponse, lostResponses, storeBehindProxy } from './support/faulty-proxy.ts';
import { errorOf } from './support/test-store.ts';

const stalls = [
  lostResponses['delays the request beyond the timeout'],
  lostResponses['delays the rest of the response body beyond the timeout'],
];

async function timed<Result>(work: () => Promise<Result>) {
  const start = performance.now();
  return { result: await work(), durationMs: performance.now() - start };
}

test('an attempt ends after its timeout, even while it reads the response body', async () => {
  for (const stall of stalls) {
    const { store } = await storeBehindProxy([stall, stall], { attemptTimeoutMs: 60_000, retries: 0 });
    const { result, durationMs } = await timed(() => errorOf(store.listPets({}, { attemptTimeoutMs: 50 })));
    expect(result).toMatchObject({
      name: 'TimeoutError',
      isRetryable: true,
      cause: { name: 'TimeoutError' },
    });
    expect(result.message).toMatch(
      /^No response to listPets from 127\.0\.0\.1:\d+ \(attempt 1\): timed out after 50 ms$/,
    );
    expect(durationMs).toSatisfy((passed) => passed >= 45 && passed < 10_000);
  }
});

test('a call ends after its timeout, however many retries are left', async () => {
  const [stall] = stalls;
  const limits = { timeoutMs: 120, attemptTimeoutMs: 50, retries: 99, retryDelayMs: 0 };
  const { store, requests } = await storeBehindProxy(Array(99).fill(stall), limits);
  const { result, durationMs } = await timed(() => errorOf(store.listPets()));
  expect(result).toMatchObject({ code: 'timeout' });
  expect(durationMs).toSatisfy((passed) => passed >= 100 && passed < 10_000);
  expect(requests.length).toBeLessThanOrEqual(3);
});

test('a timeout also ends a call whose fetch ignores the signal', async () => {
  const fetch = () => new Promise<Response>(() => {});
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'k', fetch, retries: 0 });
  expect(await errorOf(store.listPets({}, { attemptTimeoutMs: 5 }))).toMatchObject({ code: 'timeout' });
});

const moments = [
  { during: 'the request', faults: stalls.slice(0, 1), limits: { attemptTimeoutMs: 60_000 } },
  { during: 'the response body', faults: stalls.slice(1), limits: { attemptTimeoutMs: 60_000 } },
  { during: 'the delay before a retry', faults: [errorResponse(503, 'overloaded', '20')], limits: {} },
];

test.each(moments)('a signal aborts a call during $during', async ({ faults, limits }) => {
  const { store, requests } = await storeBehindProxy(faults, limits);
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  const call = errorOf(store.createPet({ name: 'a', categoryId: 1 }, { signal: controller.signal }));
  await expect.poll(() => requests).toHaveLength(1);
  setTimeout(() => controller.abort(reason), 50);
  const { result, durationMs } = await timed(() => call);
  expect(result).toMatchObject({ name: 'AbortError', code: 'aborted', isRetryable: false, cause: reason });
  expect(result.message).toMatch(/\(attempt \d\): changed my mind$/);
  expect(durationMs).toBeLessThan(10_000);
  expect(requests).toHaveLength(1);
});

test('a call with an aborted signal sends nothing and calls no hook', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return Response.json([]);
  };
  const onRequest = () => asked.push('hook');
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'k', fetch, onRequest });
  expect(await errorOf(store.listPets({}, { signal: AbortSignal.abort() }))).toMatchObject({
    code: 'aborted',
  });
  expect(asked).toEqual([]);
});
