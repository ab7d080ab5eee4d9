import { expect, test } from 'vitest';
import { ResponseCache } from './response-cache.ts';

const version = { epoch: 1, content: 1 };

const entry = (body: string, dependsOn: 'content' | 'epoch' = 'content') => ({
  response: { status: 200, headers: [], body },
  validity: { version, dependsOn },
});

test('a response is stored when its URL is requested for the second time', () => {
  const cache = new ResponseCache();
  cache.store('/a', entry('first'));
  expect(cache.has('/a')).toBe(false);
  cache.store('/a', entry('second'));
  expect(cache.find('/a', version)?.body).toBe('second');
  cache.store('/a', entry('third'));
  expect(cache.find('/a', version)?.body).toBe('third');
});

test('a page is valid for one version, and a pet for one epoch', () => {
  const cache = new ResponseCache();
  for (let time = 0; time < 2; time += 1) {
    cache.store('/page', entry('page'));
    cache.store('/pet', entry('pet', 'epoch'));
  }
  expect(cache.find('/page', { epoch: 1, content: 2 })).toBeUndefined();
  expect(cache.find('/pet', { epoch: 1, content: 2 })?.body).toBe('pet');
  expect(cache.find('/pet', { epoch: 2, content: 1 })).toBeUndefined();
});

test('a page is never valid when the engine cannot tell its version', () => {
  const cache = new ResponseCache();
  const unknown = { epoch: 1, content: undefined };
  const page = { ...entry('page'), validity: { version: unknown, dependsOn: 'content' as const } };
  cache.store('/page', page);
  cache.store('/page', page);
  expect(cache.find('/page', unknown)).toBeUndefined();
});

test('responses are cached up to a size, and the least recently used go first', () => {
  const cache = new ResponseCache();
  const urls = Array.from({ length: 200 }, (_, index) => `/${index}`);
  for (const url of [...urls, ...urls]) {
    cache.store(url, entry('x'.repeat(100_000)));
    cache.find('/0', version);
  }
  const cached = urls.filter((url) => cache.has(url));
  expect(cached.length).toBeLessThan(90);
  expect(cached).toContain('/199');
  expect(cached).toContain('/0');
});

test('the list of URLs that were requested once is bounded', () => {
  const cache = new ResponseCache();
  const long = 'x'.repeat(16_000);
  cache.store('/first', entry(''));
  for (let index = 0; index < 200; index += 1) cache.store(`/${index}${long}`, entry(''));
  cache.store('/first', entry(''));
  expect(cache.has('/first')).toBe(false);
});
