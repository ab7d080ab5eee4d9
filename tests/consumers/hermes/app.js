import { createPetStore, isPetStoreError } from '@petstore/client';

const pets = [];

/** A service with pages of two pets. Like React Native's `fetch`, it responds without a stream. */
async function fetch(url, { method, body }) {
  let status = 200;
  let json = pets;
  let link = '';
  if (method === 'POST') {
    status = 201;
    json = { id: pets.length + 1, ...JSON.parse(body) };
    pets.push(json);
  } else if (url.endsWith('/pets/9')) {
    status = 404;
    json = { code: 'pet_not_found', message: 'No pet has the id 9.', status };
  } else {
    const after = Number(/cursor=(\d+)/.exec(url)?.[1] ?? 0);
    json = pets.slice(after, after + 2);
    if (after + 2 < pets.length) link = `</v1/pets?cursor=${after + 2}>; rel="next"`;
  }
  const headers = new Headers({ 'content-type': 'application/json', link });
  return { status, headers, body: undefined, text: async () => JSON.stringify(json) };
}

async function useClient() {
  const store = createPetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'pst_secret', fetch });
  for (const name of ['Ada', 'Bob', 'Cleo']) await store.createPet({ name, categoryId: 7 });
  const names = [];
  for await (const { name } of store.pets()) names.push(name);
  if (names.join() !== 'Ada,Bob,Cleo') return `wrong: all pages (${names})`;
  const error = await store.getPet(9).catch((thrown) => thrown);
  if (!isPetStoreError(error) || error.code !== 'pet_not_found') return `wrong: an Error (${error})`;
  const controller = new AbortController();
  controller.abort();
  const aborted = await store.safe.listPets({}, { signal: controller.signal });
  if (aborted.status !== 'failed' || aborted.error.name !== 'AbortError') return 'wrong: an aborted call';
  return 'right';
}

useClient().then(print, (error) => print(`wrong: ${error} ${error.stack}`));
