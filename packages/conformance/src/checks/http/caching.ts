import { type Check, checks, readOnlyChecks } from '../../check.ts';
import { expect, expectError, expectHeader, expectStatus, type RawResponse } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { listing, readListing } from '../../pages.ts';
import { addPet, fillTo, newPet, post } from '../../pets.ts';
import type { Target } from '../../target.ts';
import { everyError } from './every-response.ts';

const CONDITIONAL = 'decision: conditional requests';

// Once the store has two pets, a new pet does not change the page with limit=1.
const resources: { what: string; find(target: Target): Promise<string> }[] = [
  { what: 'listPets', find: async (target) => fillTo(target, 2).then(() => '/pets?limit=1') },
  { what: 'getPet', find: async (target) => `/pets/${(await addPet(target)).id}` },
];

async function fetchTagged(target: Target, path: string): Promise<{ response: RawResponse; etag: string }> {
  const response = expectStatus(await send(target, 'GET', path), 200);
  const etag = response.headers.get('etag');
  expect(response, etag !== null && /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(etag), 'an ETag');
  return { response, etag };
}

async function expectNotModified(
  target: Target,
  path: string,
  tagsOf: (etag: string) => string = (etag) => etag,
  cacheControl = 'max-age=0',
) {
  const { etag } = await fetchTagged(target, path);
  const headers = { 'If-None-Match': tagsOf(etag), 'Cache-Control': cacheControl };
  const response = expectStatus(await send(target, 'GET', path, { headers }), 304);
  expect(response, response.text === '', 'no body');
  expectHeader(response, 'ETag', etag);
}

const cacheDirectives = ({ headers }: RawResponse) =>
  (headers.get('cache-control') ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .toSorted();

const checksOf = ({ what, find }: (typeof resources)[number]): Check[] => [
  ...checks(CONDITIONAL, {
    [`${what} may be stored by a private cache that revalidates`]: async (target) => {
      const { response } = await fetchTagged(target, await find(target));
      const isPrivate = cacheDirectives(response).join() === 'no-cache,private';
      expect(response, isPrivate, 'Cache-Control: private, no-cache');
    },
    [`${what} returns 304 without a body when If-None-Match has the current entity tag`]: async (target) =>
      expectNotModified(target, await find(target)),
    [`${what} returns 200 when If-None-Match has another entity tag`]: async (target) => {
      const headers = { 'If-None-Match': '"another"', 'Cache-Control': 'max-age=0' };
      expectStatus(await send(target, 'GET', await find(target), { headers }), 200);
    },
    [`${what} returns 412 when If-Match has another entity tag`]: async (target) => {
      const headers = { 'If-Match': '"another"' };
      const response = await send(target, 'GET', await find(target), { headers });
      expectError(response, 412, 'precondition_failed');
    },
    [`${what} returns 200 when If-Match has the current entity tag or *`]: async (target) => {
      const path = await find(target);
      const { etag } = await fetchTagged(target, path);
      for (const tags of [etag, `"another", ${etag}`, '*']) {
        expectStatus(await send(target, 'GET', path, { headers: { 'If-Match': tags } }), 200);
      }
    },
  }),
  ...checks('RFC 9110 section 13.1.2', {
    [`${what} returns 304 when If-None-Match has several entity tags or weak ones`]: async (target) =>
      expectNotModified(target, await find(target), (etag) => `"another", W/${etag.replace(/^W\//, '')}`),
    [`${what} returns 304 when If-None-Match is *`]: async (target) =>
      expectNotModified(target, await find(target), () => '*'),
  }),
  // `fetch` adds Cache-Control: no-cache to a conditional request without Cache-Control.
  ...checks('RFC 9110 section 13.2.2', {
    [`${what} returns 304 also when the request has Cache-Control: no-cache, as fetch sends it`]: async (
      target,
    ) => expectNotModified(target, await find(target), (etag) => etag, 'no-cache'),
  }),
];

function expectNotStored(response: RawResponse): void {
  expect(response, cacheDirectives(response).includes('no-store'), 'Cache-Control: no-store');
}

/** @throws ConformanceError when two different representations have the same entity tag */
async function expectOtherTag(target: Target, path: string, other: RawResponse): Promise<void> {
  const { response, etag } = await fetchTagged(target, path);
  if (response.text === other.text) return;
  expect(response, etag !== other.headers.get('etag'), 'an ETag that no other representation has', etag);
}

export const caching: Check[] = [
  ...resources.flatMap(checksOf),
  ...checks('RFC 9110 section 8.8.3', {
    'Each pet and each page has an ETag of its own': async (target) => {
      const { id } = await addPet(target, { name: 'Tagged' });
      const { response } = await fetchTagged(target, `/pets/${id}`);
      await expectOtherTag(target, `/pets/${(await addPet(target)).id}`, response);
      const page = await fetchTagged(target, '/pets?limit=1');
      await expectOtherTag(target, '/pets?limit=2', page.response);
    },
    'The ETag of the last page changes when a pet is added': async (target) => {
      const { response } = await readListing(target, listing());
      await addPet(target);
      await expectOtherTag(target, response.url, response);
    },
  }),
  ...readOnlyChecks(CONDITIONAL, {
    'A cache may not store an error': async (target) => {
      for await (const response of everyError(target)) expectNotStored(response);
    },
  }),
  ...checks(CONDITIONAL, {
    'A cache may not store the response of createPet': async (target) =>
      expectNotStored(expectStatus(await post(target, newPet()), 201)),
  }),
];
