import { findFreePort } from '@petstore/test-support/servers/free-port';
import { describe, expect, test } from 'vitest';
import { apiKey, errorOf, pet, type Reply, storeWithReply } from '../../tests/support/stub-service.ts';
import { createPetStore } from '../index.ts';

describe('a response outside the contract', () => {
  const json = JSON.stringify;
  test.each<[string, Reply]>([
    ['text with status 500', { status: 500, body: 'Sorry.' }],
    ['an unknown status code', { status: 202, body: json(pet) }],
    ['an Error with status 200', { body: json({ code: 'internal_error', message: 'Sorry.', status: 500 }) }],
    ['a pet in ISO 8859-1', { body: Buffer.from(json(pet), 'latin1') }],
    ['a pet with a string as id', { body: json({ ...pet, id: '1' }) }],
    ['a pet with a fraction as id', { body: '{"id":9007199254740992.5,"name":"a","categoryId":1}' }],
    ['a pet without a name', { body: json({ ...pet, name: undefined }) }],
    ['a pet whose status is null', { body: json({ ...pet, status: null }) }],
    ['an Error without a message', { status: 404, body: json({ code: 'pet_not_found', status: 404 }) }],
    ['an Error with the status 0.5', { status: 404, body: json({ code: 'a', message: 'b', status: 0.5 }) }],
  ])('%s causes an UnexpectedResponseError', async (_what, reply) => {
    const { status = 200 } = reply;
    const headers = { 'x-request-id': 'r-2', ...reply.headers };
    const { store } = await storeWithReply({ ...reply, headers });
    const error = {
      name: 'UnexpectedResponseError',
      code: 'unexpected_response',
      status,
      requestId: 'r-2',
      isRetryable: status === 500,
      message: expect.stringContaining('getPet'),
    };
    expect(await store.safe.getPet(1)).toMatchObject({ status: 'failed', requestId: 'r-2', error });
    const thrown = await errorOf(store.getPet(1));
    expect(thrown).toMatchObject(error);
    expect(thrown).not.toHaveProperty('cause');
  });

  test.each([
    ['', 'The response to listPets has no body (status 200, application/json)'],
    ['<h1>', 'The response to listPets is not JSON in UTF-8 (status 200, application/json)'],
    ['{}', 'The response to listPets is not in the contract (status 200, application/json)'],
    [json([pet, {}]), 'The response to listPets is not in the contract (status 200, application/json)'],
  ])('the body %o is described in the message', async (body, message) => {
    const { store } = await storeWithReply({ body });
    expect(await errorOf(store.listPets())).toMatchObject({ message });
  });
});

test('the message of a NetworkError names the host and the error of the operating system', async () => {
  const host = `127.0.0.1:${await findFreePort()}`;
  const store = createPetStore({ baseUrl: `http://${host}/v1`, apiKey, retries: 0 });
  const message = `No response to listPets from ${host} (attempt 1): connect ECONNREFUSED ${host}`;
  expect(await errorOf(store.listPets())).toMatchObject({ message });
});

test('a response with 30,000 nested arrays causes an UnexpectedResponseError, not a stack overflow', async () => {
  // The exponent makes `parseJson` read the text itself, without `JSON.parse`.
  const { store } = await storeWithReply({ body: `${'['.repeat(30_000)}1e5${']'.repeat(30_000)}` });
  const message = expect.stringContaining('is not in the contract');
  expect(await errorOf(store.getPet(1))).toMatchObject({ code: 'unexpected_response', message });
});
