import { expect, test } from 'vitest';
import { failure } from '../tests/store.ts';
import { createPetStore } from './index.ts';

/** A store whose service answers with these bytes, and says whether they were wanted no more. */
function storeReading(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  const state = { cancelled: false };
  const cancel = () => {
    state.cancelled = true;
  };
  const fetch = async () => new Response(new ReadableStream({ pull, cancel }), { status: 200 });
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'pst_secret', fetch });
  return { store, state };
}

test('a body without end is given up, and is no answer of the service', async () => {
  const chunk = new Uint8Array(2 ** 20).fill(32);
  const { store, state } = storeReading((controller) => controller.enqueue(chunk));
  expect(await failure(store.listPets())).toMatchObject({ code: 'unexpected_answer', retryable: false });
  expect(state.cancelled).toBe(true);
});

test('a body in small pieces, cut within letters, is read whole', async () => {
  const bytes = new TextEncoder().encode('[{"id":1,"name":"Ñandú 🦤","categoryId":7}]');
  let sent = 0;
  const { store } = storeReading((controller) => {
    if (sent === bytes.length) controller.close();
    else controller.enqueue(bytes.slice(sent, ++sent));
  });
  expect(await store.listPets()).toEqual([{ id: 1, name: 'Ñandú 🦤', categoryId: 7 }]);
});

test('a body that is not UTF-8 is told as one that cannot be read, not with a letter replaced', async () => {
  const latin = Buffer.from('[{"id":1,"name":"Ñandú","categoryId":7}]', 'latin1');
  const fetch = async () => new Response(latin, { headers: { 'content-type': 'application/json' } });
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'pst_secret', fetch });
  expect(await failure(store.listPets())).toMatchObject({
    message: 'The answer to listPets is no JSON that can be read (status 200, application/json)',
  });
});

test('a byte order mark before the JSON does no harm', async () => {
  const fetch = async () => new Response('\ufeff[]');
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey: 'pst_secret', fetch });
  expect(await store.listPets()).toEqual([]);
});
