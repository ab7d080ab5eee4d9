import { Pet } from '@petstore/contract';
import { expect, test } from 'vitest';
import { errorOf } from '../../tests/support/test-store.ts';
import { createPetStore } from '../index.ts';

/** A store whose service sends these bytes, and whether the client cancelled them. */
function storeReceiving(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  const state = { isCancelled: false };
  const cancel = () => {
    state.isCancelled = true;
  };
  const fetch = async () => new Response(new ReadableStream({ pull, cancel }), { status: 200 });
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'pst_secret', fetch });
  return { store, state };
}

test('an endless body is cancelled and causes an UnexpectedResponseError', async () => {
  const chunk = new Uint8Array(2 ** 20).fill(32);
  const { store, state } = storeReceiving((controller) => controller.enqueue(chunk));
  expect(await errorOf(store.listPets())).toMatchObject({ code: 'unexpected_response', isRetryable: false });
  expect(state.isCancelled).toBe(true);
});

test('a body whose chunks end within characters is read correctly', async () => {
  const pet = Pet.parse({ id: 1, name: 'Ñandú 🦤', categoryId: 7 });
  const bytes = new TextEncoder().encode(JSON.stringify([pet]));
  let sent = 0;
  const { store } = storeReceiving((controller) => {
    if (sent === bytes.length) controller.close();
    else controller.enqueue(bytes.slice(sent, ++sent));
  });
  expect(await store.listPets()).toEqual([pet]);
});

test('a body that is not UTF-8 causes an error instead of replaced characters', async () => {
  const latin = Buffer.from('[{"id":1,"name":"Ñandú","categoryId":7}]', 'latin1');
  const fetch = async () => new Response(latin, { headers: { 'content-type': 'application/json' } });
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'pst_secret', fetch });
  expect(await errorOf(store.listPets())).toMatchObject({
    message: 'The response to listPets is not JSON in UTF-8 (status 200, application/json)',
  });
});

test('a byte order mark before the JSON is ignored', async () => {
  const fetch = async () => new Response('\ufeff[]');
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'pst_secret', fetch });
  expect(await store.listPets()).toEqual([]);
});
