import { expect, test } from 'vitest';
import { isJsonMediaType } from './media-type.ts';

test.each([
  'application/json',
  'Application/JSON',
  'application/json;',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json ; charset=utf-8 ;',
])('accepts the media type %s', (contentType) => {
  expect(isJsonMediaType(contentType)).toBe(true);
});

test.each([
  '',
  'text/plain',
  'application/jsonp',
  'application/vnd.api+json',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json, text/plain',
])('refuses the media type %s', (contentType) => {
  expect(isJsonMediaType(contentType)).toBe(false);
});

test('takes time in proportion to the length of the text', () => {
  const start = performance.now();
  expect(isJsonMediaType(`application/json;${' '.repeat(1_000_000)}x`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(2_000);
});
