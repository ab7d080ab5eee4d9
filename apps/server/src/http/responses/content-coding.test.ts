import { expect, test } from 'vitest';
import { chooseCoding } from './content-coding.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br; q=0, gzip ;q=0.1', 'gzip'],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['', undefined],
  [undefined, undefined],
  ['identity', undefined],
  ['br;q=0, *;q=0', undefined],
  ['brotli, x-gzip', undefined],
  ['br;q=nonsense', undefined],
  [',;q=1,', undefined],
])('Accept-Encoding: %s gets %s', (header, coding) => {
  expect(chooseCoding(header, ['br', 'gzip'])).toBe(coding);
});

test('a response that exists in no coding has none', () => {
  expect(chooseCoding('br', [])).toBeUndefined();
});
