import { cp, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { temporaryFolder } from '@petstore/test-support/files';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { renderContract } from '../scripts/render-contract.ts';
import type * as Client from '../src/index.ts';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';
import { errorOf, storeWithReply } from './support/stub-service.ts';

/** The OpenAPI document of a later release: pets have further properties, and createPet has no Idempotency-Key. */
function laterDocument(): string {
  const document = JSON.parse(stringifyJson(openApiDocument()));
  const properties = {
    vaccinated: { type: 'boolean', default: false },
    weights: { type: 'array', items: { type: 'number' } },
    weight: { type: 'number' },
  };
  const { NewPet, Pet } = document.components.schemas;
  for (const schema of [NewPet, Pet]) Object.assign(schema.properties, properties);
  Pet.required.push('vaccinated');
  delete document.paths['/pets'].post.parameters;
  return JSON.stringify(document);
}

// The folder is within this package, so that the copy can import the contract.
const folder = await temporaryFolder(fileURLToPath(new URL('../reports', import.meta.url)));
afterAll(() => folder[Symbol.asyncDispose]());
await cp(new URL('../src', import.meta.url), folder.path, { recursive: true });
await writeFile(folder.file('contract.ts'), renderContract(laterDocument()));
const later: typeof Client = await import(folder.file('index.ts'));

describe('the client of a later release', () => {
  test('adds and reads pets at a service that does not know a new property, and fills in its default', async () => {
    const store = later.createPetStore({ ...createMemoryPetStore(), onDeprecation: false });
    const pet = { id: 1, name: 'Ada', categoryId: 7, vaccinated: false };
    const newPet = { name: 'Ada', categoryId: 7, vaccinated: true };
    expect(await store.createPet(newPet)).toMatchObject(pet);
    expect(await store.listPets()).toMatchObject([pet]);
    expect(await store.getPet(1)).toMatchObject(pet);
    expect(await store.safe.getPet(1)).toMatchObject({ status: 200, body: pet });
  });

  test('keeps the values that a later service sends, and refuses a value of another type', async () => {
    const pet = { id: 1, name: 'Ada', categoryId: 7, vaccinated: true, weights: [4, 4.5], weight: 4 };
    const receive = async (served: object) => {
      const { baseUrl } = await storeWithReply({ body: JSON.stringify(served) });
      return later.createPetStore({ baseUrl, apiKey: 'pst_secret', onDeprecation: false }).getPet(1);
    };
    for (const served of [pet, { ...pet, weight: 4.5 }]) expect(await receive(served)).toMatchObject(served);
    for (const wrong of [{ vaccinated: 'no' }, { vaccinated: null }, { weights: { 0: 4 } }])
      await expect(receive({ ...pet, ...wrong })).rejects.toMatchObject({ code: 'unexpected_response' });
  });

  test('sends a POST without an Idempotency-Key only once', async () => {
    const fetch = vi.fn(async () => new Response('', { status: 503 }));
    const store = later.createPetStore({ ...createMemoryPetStore(), fetch });
    expect(await store.safe.createPet({ name: 'Ada', categoryId: 7 })).toMatchObject({ status: 'failed' });
    expect(fetch).toHaveBeenCalledOnce();
  });
});

test('this client accepts further properties, values and codes of a later service', async () => {
  const pet = { id: 1, name: 'Ada', categoryId: 7, status: 'reserved', vaccinated: true };
  const { store } = await storeWithReply(({ method }) =>
    method === 'GET'
      ? { body: JSON.stringify([pet]) }
      : { status: 400, body: JSON.stringify({ code: 'new', message: 'No.', status: 400, more: {} }) },
  );
  expect(await store.listPets()).toMatchObject([pet]);
  expect(await errorOf(store.createPet({ name: 'a', categoryId: 1 }))).toMatchObject({ code: 'new' });
});
