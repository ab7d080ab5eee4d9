import { expect, test } from 'vitest';
import { entityTagOf, matchesEntityTag, namesEntityTag } from './send-json.ts';

test('a page whose next link appears has another entity tag', () => {
  expect(entityTagOf('[]')).not.toBe(entityTagOf('[]', '</v1/pets?cursor=a>; rel="next"'));
});

// The conformance suite tries further values of both headers.
test.each([
  ['nothing', undefined, false],
  ['the text without quotes', 'a', false],
  ['a tag with an asterisk in a list of its own', '"b,*,c"', false],
])('If-None-Match with %s is compared weakly', (_, field, isNamed) => {
  expect(namesEntityTag(field, '"a"')).toBe(isNamed);
});

test.each([
  ['the tag in a list', '"b", "a"', true],
  ['the weak tag', 'W/"a"', false],
])('If-Match with %s is compared strongly', (_, header, isMatched) => {
  expect(matchesEntityTag(header, '"a"')).toBe(isMatched);
});
