import { expect, test } from 'vitest';
import { serve } from '../tests/service.ts';
import { failure, storeAnswering } from '../tests/store.ts';
import { createPetStore, type PetStoreOptions } from './index.ts';

test('a key that is given by a function is asked for before each attempt', async () => {
  let given = 0;
  const { store, requests } = await storeAnswering(
    () => (requests.length === 1 ? { status: 503 } : { body: '[]' }),
    { retries: 1, retryDelayMs: 0, apiKey: async () => `pst_secret${++given}` },
  );
  await store.listPets();
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer pst_secret1',
    'Bearer pst_secret2',
  ]);
});

test('a key that is given by a function is blotted out too', async () => {
  const apiKey = () => 'pst_given';
  const { store } = await storeAnswering(
    { status: 401, body: '{"code":"invalid_api_key","message":"pst_given is unknown","status":401}' },
    { apiKey },
  );
  expect(await failure(store.listPets())).toMatchObject({ message: '[API key] is unknown' });
});

test('what the function throws, the call throws, and nothing is sent', async () => {
  const mistake = new Error('no such file');
  const { store, requests } = await storeAnswering({ body: '[]' }, { apiKey: () => Promise.reject(mistake) });
  await expect(store.listPets()).rejects.toBe(mistake);
  await expect(store.safe.listPets()).rejects.toBe(mistake);
  expect(requests).toEqual([]);
});

test('a broken key that the function gives is told without being shown', async () => {
  const { store } = await storeAnswering({ body: '[]' }, { apiKey: () => 'pst secret' });
  await expect(store.listPets()).rejects.toThrow(new TypeError('apiKey must be visible ASCII characters'));
});

test('a function that takes too long ends with the attempt, and with the signal', async () => {
  const { store } = await storeAnswering({ body: '[]' }, { apiKey: () => new Promise<string>(() => {}) });
  expect(await failure(store.listPets({}, { attemptTimeoutMs: 5 }))).toMatchObject({ code: 'timeout' });
  expect(await failure(store.listPets({}, { signal: AbortSignal.timeout(5) }))).toMatchObject({
    code: 'aborted',
  });
});

test('a key that is missing in a program without types is refused at once', async () => {
  const { baseUrl } = await serve({ body: '[]' });
  const options: PetStoreOptions = JSON.parse(JSON.stringify({ baseUrl }));
  expect(() => createPetStore(options)).toThrow(new TypeError('apiKey must be visible ASCII characters'));
});
