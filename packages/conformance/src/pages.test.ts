import { expect, test } from 'vitest';
import { follow, paginate, withParameter } from './pages.ts';

const response = {
  request: 'GET /v1/pets',
  url: 'http://petstore.test/v1/pets',
  status: 200,
  headers: new Headers(),
  text: '[]',
};

test('follow resolves relative and absolute references', () => {
  expect(follow(response, '/v1/pets?cursor=a')).toBe('http://petstore.test/v1/pets?cursor=a');
  expect(follow(response, '?cursor=a')).toBe('http://petstore.test/v1/pets?cursor=a');
  expect(follow(response, 'http://petstore.test/v1/pets/1')).toBe('http://petstore.test/v1/pets/1');
});

test('follow refuses a reference to another origin, since the key would go there', () => {
  for (const reference of [
    'http://elsewhere.test/v1/pets',
    '//elsewhere.test/',
    'https://petstore.test/v1',
    'http://[',
  ]) {
    expect(() => follow(response, reference)).toThrow('expected a URL at http://petstore.test');
  }
});

test('paginate ends when a next link leads back to its own page', async () => {
  const headers = { 'content-type': 'application/json', link: '</v1/pets?cursor=a>; rel="next"' };
  const fetch = async () => new Response('[]', { headers });
  const target = { baseUrl: 'http://petstore.test/v1', apiKey: 'key', fetch };
  await expect(Array.fromAsync(paginate(target, '/pets'))).rejects.toThrow('came twice');
});

test('withParameter sets or replaces a query parameter', () => {
  expect(withParameter('http://a.test/pets?limit=100&cursor=b', 'limit', '3')).toBe(
    'http://a.test/pets?limit=3&cursor=b',
  );
});
