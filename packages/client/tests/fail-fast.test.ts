import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pageSize, sizeLimits } from '@petstore/contract';
import { listen } from '@petstore/test-support/servers/listen';
import { describe, expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES } from '../src/call-options.ts';
import { createPetStore } from '../src/index.ts';
import { createNodeFetch } from '../src/integrations/node.ts';
import { apiKey, errorOf } from './support/stub-service.ts';

const baseUrl = 'http://nohost.invalid/v1';

/** The error of Node's `fetch` when a connection fails. */
const connectionFailure = (message: string) => new TypeError('fetch failed', { cause: new Error(message) });

/** A `fetch` that throws an error once, and then responds. */
const failOnce = (error: Error) => vi.fn(async () => Response.json([])).mockRejectedValueOnce(error);

test('a call by https to a port that speaks http fails at once, and its error says so', async () => {
  await using listening = await listen(createServer((_request, response) => response.end('[]')));
  const { host } = new URL(listening.origin);
  const store = createPetStore({ baseUrl: `https://${host}/v1`, apiKey });
  const error = await errorOf(store.createPet({ name: 'a', categoryId: 1 }, { idempotencyKey: 'k-1' }));
  expect(error).toMatchObject({ name: 'NetworkError', isRetryable: false, idempotencyKey: 'k-1' });
  expect(error.message).toMatch(`No response to createPet from ${host} (attempt 1): `);
  expect(error.message).toMatch(/\S; baseUrl begins with https:\/\/, but this port speaks http$/);
  expect(error.cause).toBeInstanceOf(Error);
});

const NOT_FOUND = 'getaddrinfo ENOTFOUND nohost.invalid';

test.each([
  ['self-signed certificate', /self-signed certificate; .*certificate.*NODE_EXTRA_CA_CERTS$/],
  ['bad port', /bad port; fetch blocks this port: use another one$/],
  ['invalid upgrade header', /invalid upgrade header; `fetch` refuses this header/],
  ['Name or service not known', /; there is no such host: check baseUrl$/],
  ['nodename nor servname provided, or not known', /; there is no such host: check baseUrl$/],
  ['no such host is known', /; there is no such host: check baseUrl$/],
  [NOT_FOUND, /from nohost\.invalid .*ENOTFOUND.*; there is no such host: check baseUrl$/],
])('the failure "%s" fails a call at once, and its error names the remedy', async (failure, message) => {
  const fetch = failOnce(connectionFailure(failure));
  const onError = vi.fn();
  const error = await errorOf(createPetStore({ baseUrl, apiKey, fetch, onError }).listPets());
  // The app's hook gets the error before the client decides that no retry helps.
  const event = { operation: 'listPets', attempt: 1, error: expect.objectContaining({ isRetryable: true }) };
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(event));
  expect(error.message).toMatch(message);
  expect(error.isRetryable).toBe(false);
  expect(fetch).toHaveBeenCalledOnce();
});

test.each([
  ['fetch', undefined],
  ['createNodeFetch', createNodeFetch()],
])('a body far above the limit ends a call of %s before it fills the memory', async (_name, fetch) => {
  const chunk = new Uint8Array(1024 * 1024);
  let sent = 0;
  const chunks = function* () {
    for (; sent < 5 * MAX_BODY_BYTES; sent += chunk.length) yield chunk;
  };
  const server = createServer((_request, response) => Readable.from(chunks()).pipe(response));
  await using listening = await listen(server);
  const options = { timeoutMs: 60_000, attemptTimeoutMs: 60_000, fetch };
  const error = await errorOf(createPetStore({ baseUrl: listening.origin, apiKey, ...options }).listPets());
  expect(error.message).toMatch(/a body of more than \d+ bytes; no response of the interface is so long$/);
  expect(error.isRetryable).toBe(false);
  expect(sent, 'bytes, some of which only fill buffers').toBeLessThan(2 * MAX_BODY_BYTES);
});

test('a response body may be as long as a page of the longest pets, with each byte escaped', () => {
  expect(MAX_BODY_BYTES).toBe(pageSize.maximum * sizeLimits.body * '\\u0000'.length);
});

test('a call whose host name is not found is retried if the service has responded before', async () => {
  const store = createPetStore({ baseUrl, apiKey, retryDelayMs: 0 });
  await store.listPets({}, { fetch: async () => Response.json([]) });
  const fetch = failOnce(connectionFailure(NOT_FOUND));
  expect(await store.listPets({}, { fetch })).toEqual([]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test.each([
  ['has only a code', 'ECONNREFUSED', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
  ['has a cause', 'Proxy response', new Error('cancelled', { cause: new Error('Proxy response') })],
])('the message for a failure whose cause %s ends with %s', async (_what, reason, cause) => {
  const fetch = failOnce(new TypeError('fetch failed', { cause }));
  const error = await errorOf(createPetStore({ baseUrl, apiKey, fetch, retries: 0 }).listPets());
  expect(error.message).toBe(`No response to listPets from nohost.invalid (attempt 1): ${reason}`);
});

test('a refused connection is retried, even if the host name contains "certificate"', async () => {
  const fetch = failOnce(connectionFailure('connect ECONNREFUSED 127.0.0.1:1'));
  const options = { baseUrl: 'http://certificates.invalid/v1', apiKey, fetch, retryDelayMs: 0 };
  expect(await createPetStore(options).listPets()).toEqual([]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

describe('an error that a fetch throws', () => {
  test.each([
    new ReferenceError('Request is not defined'),
    new TypeError("Cannot read properties of undefined (reading 'fetch')"),
    new TypeError("Failed to construct 'Request': Invalid URL"),
  ])('is thrown unchanged if a bug caused it: %s', async (bug) => {
    const fetch = failOnce(bug);
    await expect(createPetStore({ baseUrl, apiKey, fetch }).listPets()).rejects.toBe(bug);
    expect(fetch).toHaveBeenCalledOnce();
  });

  test.each([
    connectionFailure('getaddrinfo EAI_AGAIN nohost.invalid'),
    new TypeError('Failed to fetch'),
    Object.assign(new TypeError('Unable to connect'), { code: 'ConnectionRefused' }),
    new TypeError('NetworkError when attempting to fetch resource.'),
    new TypeError('Load failed'),
    new TypeError('error sending request for url (http://nohost.invalid/v1/pets)'),
    new TypeError('error reading a body from connection'),
    new TypeError('Error in input stream'),
    new TypeError('unexpected end of file'),
    new TypeError('reached unexpected EOF'),
    new TypeError('terminated'),
    new TypeError('A network error occurred.'),
    new TypeError('socket hang up'),
    new TypeError('connection closed before message completed'),
    new Error('Network connection lost.'),
  ])('is retried if it is how a runtime reports a network failure: %s', async (failure) => {
    const fetch = failOnce(failure);
    expect(await createPetStore({ baseUrl, apiKey, fetch, retryDelayMs: 0 }).listPets()).toEqual([]);
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});
