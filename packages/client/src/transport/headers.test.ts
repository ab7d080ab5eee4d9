import { describe, expect, test } from 'vitest';
import { apiKey, pet, storeWithReply } from '../../tests/support/stub-service.ts';
import { version } from '../version.ts';

describe('headers', () => {
  test('of the store and of a call are sent, and the headers of the call take precedence', async () => {
    const headers = { 'X-Tenant': 'one', 'x-source': 'store' };
    const { store, requests } = await storeWithReply({ body: '[]' }, { headers });
    await store.listPets({}, { headers: { 'X-Source': 'Zürich\t1' } });
    await store.listPets();
    expect(requests.map(({ headers }) => [headers['x-tenant'], headers['x-source']])).toEqual([
      ['one', 'Zürich\t1'],
      ['one', 'store'],
    ]);
  });

  test('cannot replace the API key or other headers that the client sends', async () => {
    const types = { Accept: 'text/html', 'Content-Type': 'text/plain' };
    const headers = { ...types, AUTHORIZATION: 'Bearer other', 'Idempotency-Key': 'k-2', 'X-Client': 'a/1' };
    const { store, requests } = await storeWithReply({ status: 201, body: JSON.stringify(pet) }, { headers });
    await store.createPet({ name: 'a', categoryId: 1 }, { headers, idempotencyKey: 'k-1' });
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'k-1',
      'x-client': `petstore-client/${version}`,
    });
  });

  test.each(['two\nlines', 'ж', '\x01'])('with the value %j are refused', async (value) => {
    const { store, requests } = await storeWithReply({ body: '[]' });
    const message = 'The header x-a has a character that cannot be sent';
    await expect(store.listPets({}, { headers: { 'x-a': value } })).rejects.toThrow(new TypeError(message));
    expect(requests).toEqual([]);
  });

  test('as a Headers object, which plain JavaScript may pass, are refused', async () => {
    const { store } = await storeWithReply({ body: '[]' });
    const headers = Object(new Headers()); // `Object` returns `any`.
    await expect(store.listPets({}, { headers })).rejects.toThrow('headers must be a plain object');
  });
});
