import { expect, test } from 'vitest';
import { ResponseCache } from './response-cache.ts';

const entry = (body: string) => ({
  response: { status: 200, headers: [], body },
  validity: {},
});

test('a response is stored when its URL is requested for the second time, and then each time', () => {
  const cache = new ResponseCache();
  cache.store('/a', entry('first'));
  expect(cache.find('/a')).toBeUndefined();
  cache.store('/a', entry('second'));
  expect(cache.find('/a')?.response.body).toBe('second');
  cache.store('/a', entry('third'));
  expect(cache.find('/a')?.response.body).toBe('third');
});

test('responses are cached up to a size, and the least recently used go first', () => {
  const cache = new ResponseCache();
  const urls = Array.from({ length: 200 }, (_, index) => `/${index}`);
  for (const url of [...urls, ...urls]) {
    cache.store(url, entry('x'.repeat(100_000)));
    cache.find('/0');
  }
  const cached = urls.filter((url) => cache.find(url) !== undefined);
  expect(cached.length).toBeLessThan(90);
  expect(cached).toContain('/199');
  expect(cached).toContain('/0');
});

test('a response with a long URL is not stored', () => {
  const cache = new ResponseCache();
  const url = `/${'x'.repeat(2_000)}`;
  for (let time = 0; time < 3; time += 1) cache.store(url, entry(''));
  expect(cache.find(url)).toBeUndefined();
});
