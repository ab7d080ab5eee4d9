import { expect, test } from 'vitest';
import { createPetStore } from '../index.ts';
import { createMemoryPetStore } from './memory-pet-store.ts';

// The conformance suite's own tests show that an in-memory pet store responds as the interface says.
test('an in-memory pet store responds below its base URL, which may have a path and a slash at its end', async () => {
  const memory = createMemoryPetStore({ baseUrl: 'https://pets.example/shops/7/v1/' });
  const pet = await createPetStore(memory).createPet({ name: 'Ada', categoryId: 7 });
  expect(memory.pets).toEqual([pet]);
});

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
