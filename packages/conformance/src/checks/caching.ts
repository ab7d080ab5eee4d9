import { addPet, fillTo } from '../animals.ts';
import { type Answer, expect, expectHeader, expectStatus } from '../answer.ts';
import type { Check } from '../check.ts';
import { send } from '../send.ts';
import type { Target } from '../target.ts';

// Of two and more animals the first is the first for good, so that this page stays as it is.
const resources: { what: string; find(target: Target): Promise<string> }[] = [
  { what: 'listPets', find: async (target) => fillTo(target, 2).then(() => '/pets?limit=1') },
  { what: 'getPet', find: async (target) => `/pets/${(await addPet(target)).id}` },
];

async function fetchTagged(target: Target, path: string): Promise<{ answer: Answer; etag: string }> {
  const answer = await send(target, 'GET', path);
  expectStatus(answer, 200);
  const etag = answer.headers.get('etag');
  expect(answer, etag !== null && /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(etag), 'an ETag');
  return { answer, etag };
}

async function expectNotModified(
  target: Target,
  path: string,
  headers: Record<string, string>,
  etag: string,
) {
  const answer = await send(target, 'GET', path, { headers });
  expectStatus(answer, 304);
  expect(answer, answer.text === '', 'no body');
  expectHeader(answer, 'ETag', etag);
}

/** The platform's fetch adds `no-cache` to a conditional request that has no Cache-Control of its own. */
const revalidate = { 'Cache-Control': 'max-age=0' };

export const caching: Check[] = resources.flatMap(({ what, find }): Check[] => [
  {
    name: `${what} may be kept by a private cache that revalidates`,
    cites: 'decision: conditional requests (Cache-Control)',
    readOnly: false,
    run: async (target) => {
      const { answer } = await fetchTagged(target, await find(target));
      const directives = (answer.headers.get('cache-control') ?? '').toLowerCase().split(/\s*,\s*/);
      expect(answer, directives.toSorted().join() === 'no-cache,private', 'Cache-Control: private, no-cache');
    },
  },
  {
    name: `${what} with If-None-Match is 304 without a body when nothing changed`,
    cites: 'decision: conditional requests (ETag and 304)',
    readOnly: false,
    run: async (target) => {
      const path = await find(target);
      const { etag } = await fetchTagged(target, path);
      await expectNotModified(target, path, { 'If-None-Match': etag, ...revalidate }, etag);
    },
  },
  {
    name: `${what} understands several entity tags and weak ones in If-None-Match`,
    cites: 'RFC 9110 section 13.1.2',
    readOnly: false,
    run: async (target) => {
      const path = await find(target);
      const { etag } = await fetchTagged(target, path);
      const tags = `"another", W/${etag.replace(/^W\//, '')}`;
      await expectNotModified(target, path, { 'If-None-Match': tags, ...revalidate }, etag);
    },
  },
  {
    name: `${what} is 304 also for a caller that sends Cache-Control: no-cache, as fetch does`,
    cites: 'RFC 9110 section 13.2.2',
    readOnly: false,
    run: async (target) => {
      const path = await find(target);
      const { etag } = await fetchTagged(target, path);
      await expectNotModified(target, path, { 'If-None-Match': etag, 'Cache-Control': 'no-cache' }, etag);
    },
  },
  {
    name: `${what} with another entity tag in If-None-Match is 200`,
    cites: 'decision: conditional requests (ETag and 304)',
    readOnly: false,
    run: async (target) => {
      const headers = { 'If-None-Match': '"another"', ...revalidate };
      expectStatus(await send(target, 'GET', await find(target), { headers }), 200);
    },
  },
]);
