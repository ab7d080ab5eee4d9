import { expect, test } from 'vitest';
import { deprecationHeaders } from './deprecation.ts';

test('a deprecation is announced with the time in seconds, as in the example of RFC 9745', () => {
  const since = new Date('2023-06-30T23:59:59Z');
  const deprecation = { since, sunset: new Date('2024-06-30T23:59:59Z'), successor: '/v2/pets' };
  expect(deprecationHeaders(deprecation, { documentation: '/docs', root: '' })).toEqual({
    Deprecation: '@1688169599',
    Sunset: 'Sun, 30 Jun 2024 23:59:59 GMT',
    Link: '</docs>; rel="deprecation"; type="text/html", </v2/pets>; rel="successor-version"',
  });
});
