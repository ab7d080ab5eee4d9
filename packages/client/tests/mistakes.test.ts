import { afterEach, expect, test, vi } from 'vitest';
import { type CallLimits, createPetStore } from '../src/index.ts';
import { petStoreFetcher } from '../src/integrations/ts-rest.ts';
import { createMemoryPetStore } from '../src/testing/memory-pet-store.ts';
import { apiKey, storeWithReply } from './support/stub-service.ts';

const baseUrl = 'https://pets.example/v1';

/** Options as a program in plain JavaScript may pass them. */
const createStore = (options: unknown) => Reflect.apply(createPetStore, undefined, [options]);

afterEach(() => vi.unstubAllGlobals());

test('no options at all are refused in a message that names the required ones', () => {
  const message = 'createPetStore needs options, at least { baseUrl, apiKey }';
  expect(() => createStore(undefined)).toThrow(new TypeError(message));
});

test.each<[unknown, string]>([
  [undefined, 'apiKey is missing: is the variable set that it comes from?'],
  ['pst_secret\n', 'apiKey contains a line break: remove it, for example with trim()'],
  ['bearer pst_secret', 'apiKey must not begin with "Bearer", which the client adds'],
  ['pst secret', 'apiKey contains a space or another character that is not visible ASCII'],
  ['pst_ñ', 'apiKey contains a space or another character that is not visible ASCII'],
])('the API key %j is refused with the mistake named, also from a function', async (key, message) => {
  const error = new TypeError(message);
  expect(() => createStore({ baseUrl, apiKey: key })).toThrow(error);
  expect(() => Reflect.apply(petStoreFetcher, undefined, [{ apiKey: key }])).toThrow(error);
  const service = await storeWithReply({ body: '[]' });
  const store = createStore({ baseUrl: service.baseUrl, apiKey: async () => key });
  for (const { listPets } of [store, store.safe]) await expect(listPets()).rejects.toThrow(error);
  expect(service.requests).toEqual([]);
});

test('an error of the function that returns the API key is thrown unchanged', async () => {
  const mistake = new Error('the vault is locked');
  const { store, requests } = await storeWithReply({}, { apiKey: () => Promise.reject(mistake) });
  for (const { listPets } of [store, store.safe]) await expect(listPets()).rejects.toBe(mistake);
  expect(requests).toEqual([]);
});

test.each([
  [undefined, 'is missing'],
  ['pets.example/v1', 'must begin with https:// or http://'],
  ['ftp://pets.example/v1', 'must begin with https:// or http://'],
  ['https://pets example/v1', 'is not a valid URL'],
  ['https://user:secret@pets.example/v1', 'must not contain a user name or a password'],
  ['https://pets.example/v1/pets', 'must not end with /pets, which the client adds'],
  ['https://pets.example/v1/pets/?a=1', 'must not end with /pets, which the client adds'],
])('the baseUrl %s is refused with a message that names the mistake, but not the URL', (url, problem) => {
  const message = `baseUrl ${problem}; it looks like https://pets.example/v1`;
  expect(() => createStore({ baseUrl: url, apiKey })).toThrow(new TypeError(message));
});

test('the host of the baseUrl may be called pets', () => {
  expect(() => createPetStore({ baseUrl: 'http://pets', apiKey })).not.toThrow();
});

test.each<[CallLimits, string]>([
  [{ timeoutMs: Number.NaN }, 'timeoutMs must be a number of at least 0, not the number NaN'],
  [{ retries: -1 }, 'retries must be a number of at least 0, not the number -1'],
  [JSON.parse('{"timeoutMs":"30000"}'), 'timeoutMs must be a number of at least 0, not the string 30000'],
])('the limit %o is refused for a store, for ts-rest and for a call', async (limit, message) => {
  expect(() => createPetStore({ baseUrl, apiKey, ...limit })).toThrow(new TypeError(message));
  expect(() => petStoreFetcher({ apiKey, ...limit })).toThrow(new TypeError(message));
  const { store, requests } = await storeWithReply({ body: '[]' });
  await expect(store.listPets({}, limit)).rejects.toThrow(new TypeError(message));
  expect(requests).toEqual([]);
});

const wrongKeys = ['', 'two\nlines', 'ключ', ' k-1', JSON.parse('null')];
test.each(wrongKeys)('the idempotencyKey %j is refused', async (idempotencyKey) => {
  const { store, requests } = await storeWithReply({ status: 503 });
  const error = new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
  for (const { createPet } of [store, store.safe])
    await expect(createPet({ name: 'a', categoryId: 1 }, { idempotencyKey })).rejects.toThrow(error);
  expect(requests).toEqual([]);
});

test('an operation without its argument throws an error that names the argument', async () => {
  const { store, requests } = await storeWithReply({ body: '[]' });
  const call = (operation: 'createPet' | 'getPet', ...given: unknown[]) =>
    Reflect.apply(store[operation], undefined, given);
  await expect(call('createPet')).rejects.toThrow(new TypeError('createPet must be given its body'));
  await expect(call('getPet', null)).rejects.toThrow(new TypeError('getPet must be given its petId'));
  expect(requests).toEqual([]);
});

test('a runtime that lacks a feature of a store is refused with a message that names the remedy', () => {
  vi.stubGlobal('fetch', undefined);
  const remedy = 'use Node.js 22.12 or newer, in Jest the environment "node" instead of "jsdom"';
  const error = new TypeError(`This runtime lacks fetch: ${remedy}, or a polyfill`);
  expect(() => createPetStore({ baseUrl, apiKey })).toThrow(error);
  const fetch = async () => Response.json([]); // The option replaces the global function.
  createPetStore({ baseUrl, apiKey, fetch });
  // Node.js 20 lacks JSON.rawJSON.
  vi.stubGlobal('JSON', { parse: JSON.parse, stringify: JSON.stringify });
  expect(() => createPetStore({ baseUrl, apiKey, fetch })).toThrow(/^This runtime lacks JSON\.rawJSON: use/);
  vi.stubGlobal('Request', undefined);
  expect(() => createMemoryPetStore()).toThrow(/^This runtime lacks Request, JSON\.rawJSON: use Node/);
});

test('a store needs no `process`, which web pages lack', () => {
  vi.stubGlobal('process', undefined);
  const store = createPetStore({ baseUrl, apiKey });
  vi.unstubAllGlobals();
  expect(store).toHaveProperty('listPets');
});
