import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { failure, storeAnswering } from '../tests/store.ts';
import { blotError, blotHeaders, blotJson } from './blot.ts';
import { createPetStore } from './index.ts';
import { validate } from './validate.ts';

const apiKey = 'pst_secret';

test('an error is copied with its name, message, code and stack, and its causes, without the key', () => {
  const inner = Object.assign(new TypeError(`no ${apiKey}`), { code: apiKey, data: Buffer.from(apiKey) });
  const outer = new RangeError(apiKey, { cause: inner });
  const copy = blotError(outer, apiKey);
  expect(copy).toMatchObject({ name: 'RangeError', message: '[API key]' });
  expect(copy.stack).toContain('blot.test.ts');
  expect(copy.cause).toMatchObject({ name: 'TypeError', message: 'no [API key]', code: '[API key]' });
  expect(copy.cause).not.toHaveProperty('data');
  expect(inspect(copy, { depth: null, showHidden: true })).not.toContain(apiKey);
});

test.each(['boom', 5, null, undefined, Symbol('boom'), {}])('what is thrown can be %o', (thrown) => {
  expect(blotError(thrown, apiKey)).toMatchObject({ name: 'Error', message: String(thrown) });
});

test('an error that is its own cause is copied to the end', () => {
  const error = new Error('round');
  error.cause = error;
  expect(inspect(blotError(error, apiKey), { depth: null }).match(/Error: round/g)?.length).toBeLessThan(10);
});

test('JSON is copied with its numbers as they are', () => {
  const json = { id: 2n ** 63n, list: [1, null, true, `a ${apiKey}`], [apiKey]: {} };
  expect(blotJson(json, apiKey)).toEqual({
    id: 2n ** 63n,
    list: [1, null, true, 'a [API key]'],
    '[API key]': {},
  });
});

test('header fields of one name stay apart', () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', `b=${apiKey}`],
  ]);
  expect(blotHeaders(headers, apiKey).getSetCookie()).toEqual(['a=1', 'b=[API key]']);
});

test('a key so short that it is no secret spoils no ordinary words', () => {
  expect(blotJson('a pet', 'pet')).toBe('a pet');
  expect(blotHeaders(new Headers({ link: '</v1/pets>; rel="next"' }), 'pets').get('link')).toContain(
    '/v1/pets',
  );
});

test('a body nested too deep to be copied is told as unreadable', async () => {
  const { store } = await storeAnswering({ status: 500, body: '['.repeat(500_000) + ']'.repeat(500_000) });
  expect(await failure(store.listPets())).toMatchObject({ code: 'unexpected_answer', status: 500 });
});

test('the cause that validate gives does not quote the answer', async () => {
  const pet = { id: 1, name: apiKey, categoryId: 1, status: apiKey };
  const { store } = await storeAnswering({ body: JSON.stringify([pet]) }, { validate });
  const error = await failure(store.listPets());
  expect(error.cause).toBeInstanceOf(Error);
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(apiKey);
});

test('what a fetch of the caller’s own throws is copied too', async () => {
  const fetch = () => Promise.reject(Object.assign(new Error('no way'), { request: { apiKey } }));
  const store = createPetStore({ baseUrl: 'http://petstore.test/v1', apiKey, fetch, retries: 0 });
  const error = await failure(store.listPets());
  expect(error).toMatchObject({ code: 'no_answer', cause: { message: 'no way' } });
  expect(error.cause).not.toHaveProperty('request');
});
