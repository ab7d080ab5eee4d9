import { expect, test } from 'vitest';
import { follow, walk, withParameter } from './pages.ts';

const answer = {
  request: 'GET /v1/pets',
  url: 'http://petstore.test/v1/pets',
  status: 200,
  headers: new Headers(),
  text: '[]',
};

test('A reference is followed whether it is relative or absolute', () => {
  expect(follow(answer, '/v1/pets?cursor=a')).toBe('http://petstore.test/v1/pets?cursor=a');
  expect(follow(answer, '?cursor=a')).toBe('http://petstore.test/v1/pets?cursor=a');
  expect(follow(answer, 'http://petstore.test/v1/pets/1')).toBe('http://petstore.test/v1/pets/1');
});

test('A reference to another origin is not followed, since the key would go there', () => {
  for (const reference of [
    'http://elsewhere.test/v1/pets',
    '//elsewhere.test/',
    'https://petstore.test/v1',
    'http://[',
  ]) {
    expect(() => follow(answer, reference)).toThrow('expected an address at http://petstore.test');
  }
});

test('A walk whose next link leads back to itself comes to an end', async () => {
  const headers = { 'content-type': 'application/json', link: '</v1/pets?cursor=a>; rel="next"' };
  const fetch = async () => new Response('[]', { headers });
  const target = { baseUrl: 'http://petstore.test/v1', apiKey: 'key', fetch };
  await expect(Array.fromAsync(walk(target, '/pets'))).rejects.toThrow('came twice');
});

test('A parameter of an address is set or replaced', () => {
  expect(withParameter('http://a.test/pets?limit=100&cursor=b', 'limit', '3')).toBe(
    'http://a.test/pets?limit=3&cursor=b',
  );
});
