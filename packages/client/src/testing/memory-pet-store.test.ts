import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from './memory-pet-store.ts';

test.each(['https://pets.example/v1', 'https://pets.example/shops/7/v1/'])(
  'an in-memory pet store responds below the base URL %s',
  async (baseUrl) => {
    const store = createPetStore(createMemoryPetStore({ baseUrl }));
    for (let count = 0; count < 4; count += 1) await store.createPet({ name: 'Ada', categoryId: 7 });
    const pages = await Array.fromAsync(store.pets({ pageSize: 2 }).pages());
    expect(pages.map(({ body }) => body.map(({ id }) => id))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await store.safe.getPet(9)).toMatchObject({ status: 404, body: { code: 'pet_not_found' } });
  },
);

test('an in-memory pet store refuses a creation without a body with the code of the server', async () => {
  const { fetch, baseUrl, apiKey } = createMemoryPetStore();
  const init = { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } };
  expect(await (await fetch(`${baseUrl}/pets`, init)).json()).toMatchObject({ code: 'invalid_body' });
});

test('the fetch of an in-memory pet store adds nothing if its signal is aborted', async () => {
  const { fetch, baseUrl, apiKey, pets } = createMemoryPetStore();
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"name":"Ada","categoryId":7}' };
  await expect(fetch(`${baseUrl}/pets`, { ...init, signal: AbortSignal.abort() })).rejects.toThrow();
  expect(pets).toEqual([]);
});
