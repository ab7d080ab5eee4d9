// What an app does with the client, in any runtime. Prints "right" when everything works.
import process from 'node:process';
import { createPetStore, isPetStoreError } from '@petstore/client';

const { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env;
const store = createPetStore({ baseUrl, apiKey });

const newPet = { name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'sold' };
const pet = await store.createPet(newPet);
const ids = await Array.fromAsync(store.pets({ status: 'sold', pageSize: 1 }), ({ id }) => id);
const error = await store.createPet({ name: '\0', categoryId: 1 }).catch((thrown) => thrown);
const aborted = await store.safe.listPets({}, { signal: AbortSignal.abort() });
const offline = createPetStore({ baseUrl: 'http://127.0.0.1:2/v1', apiKey, retries: 0 });
const failed = await offline.safe.listPets();

const problems = [
  pet.name !== newPet.name || pet.categoryId !== newPet.categoryId ? 'the pet that was added' : [],
  ids.includes(pet.id) ? [] : 'all pages',
  isPetStoreError(error) && error.code === 'invalid_body' ? [] : 'an Error',
  aborted.status === 'failed' && aborted.error.name === 'AbortError' ? [] : 'an aborted call',
  failed.status === 'failed' && failed.error.name === 'NetworkError' ? [] : 'a network error',
].flat();
console.log(problems.join(', ') || 'right');
