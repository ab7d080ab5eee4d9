import { expect, test } from 'vitest';
import { hasEntityTag } from './entity-tags.ts';

// The conformance suite tries further values of both headers.
test.each([
  ['weak', 'the tag without quotes', 'a', false],
  ['weak', 'a tag that contains commas and an asterisk', '"b,*,c"', false],
  ['strong', 'the weak tag', 'W/"a"', false],
] as const)('in a %s comparison, %s (%s) matches: %s', (comparison, _, header, isMatched) => {
  expect(hasEntityTag(header, '"a"', comparison)).toBe(isMatched);
});
