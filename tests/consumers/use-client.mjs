// What an app does with the client, in any runtime. Prints "right" when everything works.
import assert from 'node:assert/strict';
import process from 'node:process';
import { createPetStore, isPetStoreError } from '@petstore/client';

const { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env;
const store = createPetStore({ baseUrl, apiKey });

const newPet = { name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'sold' };
const pet = await store.createPet(newPet);
assert.deepEqual(pet, { ...newPet, id: pet.id });

const ids = await Array.fromAsync(store.pets({ status: 'sold', pageSize: 1 }), ({ id }) => id);
assert(ids.includes(pet.id));

const error = await store.createPet({ name: '\0', categoryId: 1 }).catch((thrown) => thrown);
assert(isPetStoreError(error));
assert.equal(error.code, 'invalid_body');

const aborted = await store.safe.listPets({}, { signal: AbortSignal.abort() });
assert.equal(aborted.error?.name, 'AbortError');

// No program listens on port 2.
const offline = createPetStore({ baseUrl: 'http://127.0.0.1:2/v1', apiKey, retries: 0 });
const failed = await offline.safe.listPets();
assert.equal(failed.error?.name, 'NetworkError');

console.log('right');
