import { expect, test } from 'vitest';
import { readListing, resolve } from './pages.ts';

const response = {
  request: 'GET /v1/pets',
  url: 'http://petstore.test/v1/pets',
  status: 200,
  headers: new Headers(),
  text: '[]',
  replay: { curl: 'curl', received: '200 []' },
  redact: (text: string) => text,
};

test.each([
  null,
  'http://elsewhere.test/v1/pets',
  '//elsewhere.test/',
  'https://petstore.test/v1',
  'http://[',
])('resolve returns no URL for the reference %s, so that the key is not sent there', (reference) =>
  expect(resolve(response, reference)).toBeUndefined(),
);

test('readListing ends when a next link leads back to a page', async () => {
  const headers = { 'content-type': 'application/json', link: '</v1/pets?cursor=a>; rel="next"' };
  const fetch = async () => new Response('[]', { headers });
  const paths: string[] = [];
  await readListing({ baseUrl: 'http://petstore.test/v1', apiKey: 'key', fetch }, '/pets', ({ response }) => {
    paths.push(response.request);
  });
  expect(paths).toEqual(['GET /v1/pets', 'GET /v1/pets?cursor=a']);
});
