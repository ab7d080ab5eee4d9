import { describe, expect, test } from 'vitest';
import { findLink, formatLinks } from './link.ts';

describe('findLink', () => {
  test('finds each link that formatLinks wrote', () => {
    const types = ['deprecation', 'next', 'successor-version'];
    const links = types.map((rel) => ({ target: `/${rel}?a=1,2;b`, rel }));
    for (const { target, rel } of links) expect(findLink(formatLinks(links), rel)).toBe(target);
  });

  test.each([
    ['</b> ; REL = "NEXT"'],
    ['</b>; rel="last next"'],
    ['</b>; title="say \\"hi\\", <c>"; rel="next"'],
    ["</b>; title*=UTF-8''a; rel=next"],
    ['</b>; rel=next; rel=prev'],
    ['</a>; rel="prev" ,\t</b>; rel="next", </c>; rel="next"'],
    ['</a>; title="</x>; rel=next", </b>; rel=next'],
  ])('finds the next link in %s', (header) => {
    expect(findLink(header, 'next')).toBe('/b');
  });

  test.each([
    ['</b>; rel="nextish"'],
    ['</b>; rel=prev; rel=next'],
    ['</b>; title="; rel=next"; rel=prev'],
    ['</b; rel="next"'],
    ['</b>; rel="next'],
  ])('finds no next link in %s', (header) => {
    expect(findLink(header, 'next')).toBeUndefined();
  });

  test('takes less than two seconds for headers that are made to slow it down', () => {
    const start = process.cpuUsage();
    for (const part of ['; a ', ' ', '; a=b', '; a="\\"', '<', '<>,', ', ,'])
      findLink(`</b>${part.repeat(5_000)}!`, 'next');
    expect(process.cpuUsage(start).user, 'microseconds of processor time').toBeLessThan(2_000_000);
  });
});
