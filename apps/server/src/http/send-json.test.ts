import { expect, test } from 'vitest';
import { entityTagOf, matchesEntityTag, namesEntityTag } from './send-json.ts';

test('a page whose next link appears has another entity tag', () => {
  expect(entityTagOf('[]')).not.toBe(entityTagOf('[]', '</v1/pets?cursor=a>; rel="next"'));
});

test.each([
  ['the tag alone', '"a"', true],
  ['the tag in a list', '"b", "a"', true],
  ['the weak tag', 'W/"a"', true],
  ['any', '*', true],
  ['nothing', undefined, false],
  ['another tag', '"b"', false],
  ['the text without quotes', 'a', false],
  ['a tag with an asterisk in a list of its own', '"b,*,c"', false],
])('If-None-Match with %s is compared weakly', (_, field, isNamed) => {
  expect(namesEntityTag(field, '"a"')).toBe(isNamed);
});

test.each([
  ['the tag', '"a"', true],
  ['the tag in a list', '"b", "a"', true],
  ['any', '*', true],
  ['the weak tag', 'W/"a"', false],
  ['another tag', '"b"', false],
])('If-Match with %s is compared strongly', (_, header, isMatched) => {
  expect(matchesEntityTag(header, '"a"')).toBe(isMatched);
});
