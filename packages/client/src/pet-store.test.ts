import { describe, expect, test } from 'vitest';
import { apiKey, errorOf, pet, serveReplies, storeWithReply } from '../tests/support/stub-service.ts';
import { createPetStore } from './index.ts';

/** Four random 32-bit integers. It is practically certain that one has eight digits. */
const RANDOM_KEY = /^(?=.*\d{8})\d+(-\d+){3}$/;

/** An object as `querystring.parse` or a GraphQL server passes it. */
const withoutPrototype = <Value extends object>(value: Value): Value =>
  Object.assign(Object.create(null), value);

describe('a request', () => {
  test('goes to the base URL without slashes at its end and without its query', async () => {
    const { baseUrl, requests } = await serveReplies({ body: '[]' });
    await createPetStore({ baseUrl, apiKey }).listPets();
    await createPetStore({ baseUrl: `${baseUrl}//`, apiKey }).listPets();
    await createPetStore({ baseUrl: `${baseUrl.replace('/v1', '/shops/7/v1')}?a=1`, apiKey }).listPets();
    expect(requests.map(({ url }) => url)).toEqual(['/v1/pets', '/v1/pets', '/shops/7/v1/pets']);
  });

  test('of listPets has the query as parameters and omits undefined ones', async () => {
    const { store, requests } = await storeWithReply({ body: '[]' });
    await store.listPets({ limit: 5, status: 'sold', cursor: 'a&b=c' });
    await store.listPets({ status: undefined });
    await store.listPets(withoutPrototype({ limit: 0, cursor: '' }));
    expect(requests.map(({ url }) => url)).toEqual([
      '/v1/pets?limit=5&status=sold&cursor=a%26b%3Dc',
      '/v1/pets',
      '/v1/pets?limit=0&cursor=',
    ]);
  });

  test('of createPet has the pet as JSON with exact integers, and a new idempotency key for each call', async () => {
    const { store, requests } = await storeWithReply({ status: 201, body: JSON.stringify(pet) });
    const newPet = withoutPrototype({ name: 'Ñandú 🦤', categoryId: 9007199254740993n });
    for (let call = 0; call < 2; call += 1) await store.createPet(newPet);
    expect(requests[0]?.body).toBe('{"name":"Ñandú 🦤","categoryId":9007199254740993}');
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(RANDOM_KEY), expect.stringMatching(RANDOM_KEY)]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  const unsafe = [2 ** 53, -(2 ** 53)];
  test.each(unsafe)('with the number %d is not sent, because the app may have rounded it', async (number) => {
    const { store, requests } = await storeWithReply({ status: 201, body: JSON.stringify(pet) });
    const mistakes = {
      categoryId: [
        store.createPet({ name: 'a', categoryId: number }),
        store.safe.createPet({ name: 'a', categoryId: number }),
        store.withResponse.createPet({ name: 'a', categoryId: number }),
      ],
      petId: [store.getPet(number), store.safe.getPet(number)],
      limit: [store.listPets({ limit: number }), Array.fromAsync(store.pets({ pageSize: number }))],
    };
    for (const [name, calls] of Object.entries(mistakes)) {
      const message = `${name} must be a safe integer, not ${number}: use a bigint`;
      for (const call of calls) await expect(call).rejects.toThrow(new TypeError(message));
    }
    expect(requests).toEqual([]);
  });
});

test('a call uses its own fetch option, which may return only a status, headers and arrayBuffer', async () => {
  const { store, requests } = await storeWithReply({});
  const { buffer } = new TextEncoder().encode('[]');
  const fetch = async () => ({ status: 200, headers: new Headers(), arrayBuffer: async () => buffer });
  expect(await store.listPets({}, { fetch })).toEqual([]);
  expect(requests).toEqual([]);
});

describe('an Error of the service', () => {
  test('keeps its code when the operation does not have its status, and names the call', async () => {
    const body = JSON.stringify({ code: 'gone', message: 'No more pets.', status: 410 });
    const { store } = await storeWithReply({ status: 410, headers: { 'x-request-id': 'r-1' }, body });
    const message = 'listPets: 410 gone: No more pets.';
    const expected = { code: 'gone', status: 410, message, requestId: 'r-1' };
    expect(await errorOf(store.listPets())).toMatchObject(expected);
    expect(await store.safe.listPets()).toMatchObject({ status: 'failed', error: expected });
  });

  test('for an unknown path names the URL, and asks for the prefix /v1 if baseUrl lacks it', async () => {
    const body = JSON.stringify({ code: 'path_not_found', message: 'Nothing is here.', status: 404 });
    const { store, baseUrl } = await storeWithReply({ status: 404, body });
    const start = 'getPet: 404 path_not_found: Nothing is here';
    expect(await errorOf(store.getPet(1))).toMatchObject({ message: `${start} (${baseUrl}/pets/1)` });
    const { origin } = new URL(baseUrl);
    const withoutPrefix = createPetStore({ baseUrl: origin, apiKey });
    const message = `${start} (${origin}/pets/1): does baseUrl end in /v1?`;
    expect(await errorOf(withoutPrefix.getPet(1))).toMatchObject({ message });
  });
});

test('a 304 is a result of safe.listPets without a body, and an error of listPets', async () => {
  const { store } = await storeWithReply({ status: 304 });
  expect(await store.safe.listPets()).toMatchObject({ status: 304, body: undefined });
  const message = expect.stringContaining('has no body (status 304');
  expect(await errorOf(store.listPets())).toMatchObject({ code: 'unexpected_response', message });
});

test('operations of withResponse and safe resolve to body, status, headers and request id', async () => {
  const { store } = await storeWithReply(({ method, url }) => ({
    status: method === 'POST' ? 201 : 200,
    headers: { 'x-request-id': 'r-4', location: '/v1/pets/1' },
    body: JSON.stringify(method === 'GET' && url === '/v1/pets' ? [pet] : pet),
  }));
  for (const { createPet, listPets, getPet } of [store.withResponse, store.safe]) {
    const created = await createPet({ name: 'a', categoryId: 1 });
    expect(created).toMatchObject({ status: 201, body: pet, requestId: 'r-4' });
    expect('headers' in created && created.headers.get('location')).toBe('/v1/pets/1');
    expect(await listPets()).toMatchObject({ status: 200, body: [pet], requestId: 'r-4' });
    expect(await getPet(1)).toMatchObject({ status: 200, body: pet, requestId: 'r-4' });
  }
});
