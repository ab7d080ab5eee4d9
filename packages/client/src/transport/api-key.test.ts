import { expect, test } from 'vitest';
import { errorOf, storeWithReply } from '../../tests/support/stub-service.ts';

test('the function that returns the key is called before each attempt', async () => {
  let given = 0;
  const { store, requests } = await storeWithReply(
    () => (requests.length === 1 ? { status: 503 } : { body: '[]' }),
    { retries: 1, retryDelayMs: 0, apiKey: async () => `key${++given}` },
  );
  await store.listPets();
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer key1', 'Bearer key2']);
});

test('a call does not wait for the function beyond the timeout or the signal', async () => {
  const { store } = await storeWithReply({ body: '[]' }, { apiKey: () => new Promise<string>(() => {}) });
  const message = 'No API key for listPets (attempt 1): timed out after 5 ms';
  const late = errorOf(store.listPets({}, { attemptTimeoutMs: 5 }));
  expect(await late).toMatchObject({ code: 'timeout', message });
  const signal = AbortSignal.timeout(5);
  expect(await errorOf(store.listPets({}, { signal }))).toMatchObject({ code: 'aborted' });
});
