import { expect, test } from 'vitest';
import { entityTagOf, hasEntityTag } from './entity-tags.ts';

test('the entity tag of a page changes when its next link appears', () => {
  expect(entityTagOf('[]')).not.toBe(entityTagOf('[]', '</v1/pets?cursor=a>; rel="next"'));
});

// The conformance suite tries further values of both headers.
test.each([
  ['the weak tag', 'W/"a"', true],
  ['the tag without quotes', 'a', false],
  ['a tag that contains commas and an asterisk', '"b,*,c"', false],
])('If-None-Match with %s is compared weakly', (_, header, isNamed) => {
  expect(hasEntityTag(header, '"a"', 'weak')).toBe(isNamed);
});

test.each([
  ['the tag in a list', '"b", "a"', true],
  ['the weak tag', 'W/"a"', false],
])('If-Match with %s is compared strongly', (_, header, isMatched) => {
  expect(hasEntityTag(header, '"a"', 'strong')).toBe(isMatched);
});
