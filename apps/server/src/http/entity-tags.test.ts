import { expect, test } from 'vitest';
import { entityTagOf, matchesEntityTag, namesEntityTag } from './entity-tags.ts';

test('the entity tag of a page changes when its next link appears', () => {
  expect(entityTagOf('[]')).not.toBe(entityTagOf('[]', '</v1/pets?cursor=a>; rel="next"'));
});

// The conformance suite tries further values of both headers.
test.each([
  ['the weak tag', 'W/"a"', true],
  ['nothing', undefined, false],
  ['the tag without quotes', 'a', false],
  ['a tag that contains commas and an asterisk', '"b,*,c"', false],
])('If-None-Match with %s is compared weakly', (_, field, isNamed) => {
  expect(namesEntityTag(field, '"a"')).toBe(isNamed);
});

test.each([
  ['the tag in a list', '"b", "a"', true],
  ['the weak tag', 'W/"a"', false],
])('If-Match with %s is compared strongly', (_, header, isMatched) => {
  expect(matchesEntityTag(header, '"a"')).toBe(isMatched);
});
