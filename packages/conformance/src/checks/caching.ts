import { addPet, fillTo, newPet, post } from '../animals.ts';
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

/** The directives of Cache-Control, in alphabetical order. */
const cacheDirectives = ({ headers }: Answer) =>
  (headers.get('cache-control') ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .toSorted();

/** The platform's fetch adds `no-cache` to a conditional request that has no Cache-Control of its own. */
const revalidate = { 'Cache-Control': 'max-age=0' };

const checksOf = ({ what, find }: (typeof resources)[number]): Check[] => [
  {
    name: `${what} may be kept by a private cache that revalidates`,
    cites: 'decision: conditional requests (Cache-Control)',
    readOnly: false,
    run: async (target) => {
      const { answer } = await fetchTagged(target, await find(target));
      expect(
        answer,
        cacheDirectives(answer).join() === 'no-cache,private',
        'Cache-Control: private, no-cache',
      );
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
];

function expectNotStored(answer: Answer): void {
  expect(answer, cacheDirectives(answer).includes('no-store'), 'Cache-Control: no-store');
}

export const caching: Check[] = [
  ...resources.flatMap(checksOf),
  {
    name: 'A cache may not keep a refusal',
    cites: 'decision: conditional requests (no-store)',
    readOnly: true,
    run: async (target) => {
      expectNotStored(await send(target, 'GET', '/pets?limit=0'));
      expectNotStored(await send(target, 'GET', '/pets/abc'));
      expectNotStored(await send(target, 'GET', '/no-such-path'));
      expectNotStored(await send(target, 'GET', '/pets', { authorization: null }));
      expectNotStored(await send(target, 'PUT', '/pets'));
    },
  },
  {
    name: 'A cache may not keep the answer of createPet',
    cites: 'decision: conditional requests (no-store)',
    readOnly: false,
    run: async (target) => {
      const answer = await post(target, newPet());
      expectStatus(answer, 201);
      expectNotStored(answer);
    },
  },
];
