import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createPetStore } from '../src/index.ts';
import { apiKey, errorOf, noResponse, type Reply, storeWithReply } from './support/stub-service.ts';

/** Returns the buffers in a value as text, because `inspect` shows their bytes as numbers. */
function textOfBuffers(printed: unknown): string {
  if (typeof printed !== 'object' || printed === null) return '';
  const values = Object.getOwnPropertyNames(printed).map((name): unknown => Reflect.get(printed, name));
  return values.map((value) => (Buffer.isBuffer(value) ? value.toString() : textOfBuffers(value))).join();
}

const escaped = apiKey.replace('p', '\\u0070');
const error = { code: 'invalid_api_key', message: `${apiKey} is unknown`, status: 401 };
const echoing = { sunset: apiKey, deprecation: '@1', location: `/${apiKey}`, 'x-echo': `Bearer ${apiKey}` };
test.each<[string, Reply]>([
  ['a JSON object', { status: 502, body: `{"authorization":"Bearer ${apiKey}"}` }],
  ['text', { status: 502, body: apiKey }],
  ['an Error with escapes', { status: 401, body: JSON.stringify(error).replace(apiKey, escaped) }],
  ['the code of an Error', { status: 400, body: JSON.stringify({ ...error, status: 400, code: apiKey }) }],
  ['a redirect', { status: 302, headers: { location: `http://127.0.0.1:1/${apiKey}` } }],
  ['the headers of an Error', { status: 401, headers: echoing, body: JSON.stringify(error) }],
  ['a media type', { status: 502, headers: { 'content-type': `text/${apiKey}` } }],
  ['a request id', { status: 401, headers: { 'x-request-id': apiKey }, body: JSON.stringify(error) }],
  ['a link', { body: '[]', headers: { link: `<http://127.0.0.1:1/${apiKey}>; rel="next"` } }],
  ['bytes that are not HTTP', { raw: `HTTP/1.1 200 OK\r\nauthorization Bearer ${apiKey}\r\n\r\n` }],
  ['no response', noResponse],
])('the API key is in nothing that an app can log after %s', async (_what, echo) => {
  const seen: unknown[] = [];
  const see = (event: unknown) => seen.push(event);
  const { store } = await storeWithReply(echo, { onResponse: see, onDeprecation: see });
  seen.push(store, await store.safe.listPets());
  seen.push(await errorOf(Array.fromAsync(store.pets())));
  for (const printed of seen) {
    expect(inspect(printed, { depth: null, showHidden: true })).not.toContain(apiKey);
    expect(JSON.stringify(printed)).not.toContain(apiKey);
    expect(textOfBuffers(printed)).not.toContain(apiKey);
  }
});

test('the status 0, which redirects have in browsers, is reported as a redirect', async () => {
  // `new Response` refuses the status 0.
  const fetch = async () => Response.error();
  const error = await errorOf(createPetStore({ baseUrl: 'http://127.0.0.1/v1', apiKey, fetch }).listPets());
  expect(error).toMatchObject({ status: undefined, message: expect.stringContaining('is a redirect') });
});
