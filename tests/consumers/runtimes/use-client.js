// What an app does with the client, in any runtime.
import { createPetStore, isPetStoreError } from '@petstore/client';

/**
 * @param fetch in place of the runtime's own
 * @returns "right" when everything works
 */
export async function useClient(baseUrl, apiKey, fetch) {
  const store = createPetStore({ baseUrl, apiKey, fetch });
  const newPet = { name: 'Ñandú 🦤', categoryId: 9007199254740993n, status: 'sold' };
  const pet = await store.createPet(newPet);
  if (pet.name !== newPet.name || pet.categoryId !== newPet.categoryId)
    return 'wrong: the pet that was added';

  const { body, next, requestId } = await store.withResponse.listPets({ limit: 1, status: 'sold' });
  if (body.length !== 1 || requestId === undefined) return 'wrong: a page';
  const ids = [];
  for await (const { id } of store.pets({ status: 'sold', pageSize: 1 })) ids.push(id);
  if (!ids.includes(pet.id) || ids.length > 1 !== (next !== undefined)) return 'wrong: all pages';
  for await (const page of store.pets({ status: 'sold', pageSize: 1 }).pages()) {
    if (page.next === next && page.body[0].id === body[0].id) break;
    return 'wrong: the first page of an iteration';
  }

  const error = await store.createPet({ name: '\0', categoryId: 1 }).catch((error) => error);
  if (!isPetStoreError(error) || error.code !== 'invalid_body') return 'wrong: an Error';
  const aborted = await store.safe.listPets({}, { signal: AbortSignal.abort() });
  if (aborted.status !== 'failed' || aborted.error.name !== 'AbortError') return 'wrong: an aborted call';
  const offline = createPetStore({ baseUrl: 'http://127.0.0.1:1/v1', apiKey, fetch, retries: 0 });
  const failed = await offline.safe.listPets();
  if (failed.status !== 'failed' || failed.error.name !== 'NetworkError') return 'wrong: a network error';
  return 'right';
}
