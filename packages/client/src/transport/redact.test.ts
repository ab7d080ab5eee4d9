import { inspect } from 'node:util';
import { Pet } from '@petstore/contract';
import { expect, test } from 'vitest';
import { errorOf, storeWithReply } from '../../tests/support/test-store.ts';
import { createPetStore } from '../index.ts';
import { validate } from '../integrations/validate.ts';
import { redactError, redactHeaders, redactJson } from './redact.ts';

const apiKey = 'pst_secret';

test('redactError copies the name, message, code, stack and causes of an error without the key', () => {
  const inner = Object.assign(new TypeError(`no ${apiKey}`), { code: apiKey, data: Buffer.from(apiKey) });
  const outer = new RangeError(apiKey, { cause: inner });
  const copy = redactError(outer, apiKey);
  expect(copy).toMatchObject({ name: 'RangeError', message: '[API key]' });
  expect(copy.stack).toContain('redact.test.ts');
  expect(copy.cause).toMatchObject({ name: 'TypeError', message: 'no [API key]', code: '[API key]' });
  expect(copy.cause).not.toHaveProperty('data');
  expect(inspect(copy, { depth: null, showHidden: true })).not.toContain(apiKey);
});

test.each(['boom', 5, null, undefined, Symbol('boom'), {}])(
  'redactError makes an error of the thrown value %o',
  (thrown) => {
    expect(redactError(thrown, apiKey)).toMatchObject({ name: 'Error', message: String(thrown) });
  },
);

test('redactError copies an error that is its own cause a few times only', () => {
  const error = new Error('round');
  error.cause = error;
  expect(inspect(redactError(error, apiKey), { depth: null }).match(/Error: round/g)?.length).toBeLessThan(
    10,
  );
});

test('redactJson copies numbers exactly', () => {
  const json = { id: 2n ** 63n, list: [1, null, true, `a ${apiKey}`], [apiKey]: {} };
  expect(redactJson(json, apiKey)).toEqual({
    id: 2n ** 63n,
    list: [1, null, true, 'a [API key]'],
    '[API key]': {},
  });
});

test('redactHeaders keeps headers of the same name apart', () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', `b=${apiKey}`],
  ]);
  expect(redactHeaders(headers, apiKey).getSetCookie()).toEqual(['a=1', 'b=[API key]']);
});

test('a key shorter than six characters is not redacted', () => {
  expect(redactJson('a pet', 'pet')).toBe('a pet');
  expect(redactHeaders(new Headers({ link: '</v1/pets>; rel="next"' }), 'pets').get('link')).toContain(
    '/v1/pets',
  );
});

test('a body that is nested too deeply to be copied causes an UnexpectedResponseError', async () => {
  const { store } = await storeWithReply({ status: 500, body: '['.repeat(500_000) + ']'.repeat(500_000) });
  expect(await errorOf(store.listPets())).toMatchObject({ code: 'unexpected_response', status: 500 });
});

test('the error of validate does not quote the response', async () => {
  const pet = { ...Pet.parse({ id: 1, name: apiKey, categoryId: 1 }), status: apiKey };
  const { store } = await storeWithReply({ body: JSON.stringify([pet]) }, { validate });
  const error = await errorOf(store.listPets());
  expect(error.cause).toBeInstanceOf(Error);
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(apiKey);
});

test('the error of a custom fetch is redacted too', async () => {
  const fetch = () => Promise.reject(Object.assign(new Error('no way'), { request: { apiKey } }));
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey, fetch, retries: 0 });
  const error = await errorOf(store.listPets());
  expect(error).toMatchObject({ code: 'network_error', cause: { message: 'no way' } });
  expect(error.cause).not.toHaveProperty('request');
});
