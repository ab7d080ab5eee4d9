import { expect, test } from 'vitest';
import { hasEntityTag } from './entity-tags.ts';

// The conformance suite tries further values of both headers.
test.each([
  ['weak', 'the tag without quotes', 'a'],
  ['weak', 'a tag with commas and an asterisk', '"b,*,c"'],
  ['strong', 'the weak tag', 'W/"a"'],
] as const)('in a %s comparison, %s does not match "a": %s', (comparison, _, header) => {
  expect(hasEntityTag(header, '"a"', comparison)).toBe(false);
});
