import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { addPet, fillTo, newPet, post } from '../../pets.ts';
import type { Target } from '../../target.ts';

// With two pets or more, nothing that is added changes the first page of one.
const resources: { what: string; find(target: Target): Promise<string> }[] = [
  { what: 'listPets', find: async (target) => fillTo(target, 2).then(() => '/pets?limit=1') },
  { what: 'getPet', find: async (target) => `/pets/${(await addPet(target)).id}` },
];

async function fetchTagged(target: Target, path: string): Promise<{ response: RawResponse; etag: string }> {
  const response = await send(target, 'GET', path);
  expectStatus(response, 200);
  const etag = response.headers.get('etag');
  expect(response, etag !== null && /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(etag), 'an ETag');
  return { response, etag };
}

async function expectNotModified(
  target: Target,
  path: string,
  headers: Record<string, string>,
  etag: string,
) {
  const response = await send(target, 'GET', path, { headers });
  expectStatus(response, 304);
  expect(response, response.text === '', 'no body');
  expectHeader(response, 'ETag', etag);
}

/** The directives of Cache-Control, in alphabetical order. */
const cacheDirectives = ({ headers }: RawResponse) =>
  (headers.get('cache-control') ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .toSorted();

/** The platform's fetch adds `no-cache` to a conditional request without a Cache-Control of its own. */
const revalidate = { 'Cache-Control': 'max-age=0' };

const checksOf = ({ what, find }: (typeof resources)[number]): Check[] => [
  {
    name: `${what} may be stored by a private cache that revalidates`,
    cites: 'decision: conditional requests (Cache-Control)',
    readOnly: false,
    run: async (target) => {
      const { response } = await fetchTagged(target, await find(target));
      expect(
        response,
        cacheDirectives(response).join() === 'no-cache,private',
        'Cache-Control: private, no-cache',
      );
    },
  },
  {
    name: `${what} returns 304 without a body when If-None-Match has the current entity tag`,
    cites: 'decision: conditional requests (ETag and 304)',
    readOnly: false,
    run: async (target) => {
      const path = await find(target);
      const { etag } = await fetchTagged(target, path);
      await expectNotModified(target, path, { 'If-None-Match': etag, ...revalidate }, etag);
    },
  },
  {
    name: `${what} returns 304 when If-None-Match has several entity tags or weak ones`,
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
    name: `${what} returns 304 also when the request has Cache-Control: no-cache, as fetch sends it`,
    cites: 'RFC 9110 section 13.2.2',
    readOnly: false,
    run: async (target) => {
      const path = await find(target);
      const { etag } = await fetchTagged(target, path);
      await expectNotModified(target, path, { 'If-None-Match': etag, 'Cache-Control': 'no-cache' }, etag);
    },
  },
  {
    name: `${what} returns 200 when If-None-Match has another entity tag`,
    cites: 'decision: conditional requests (ETag and 304)',
    readOnly: false,
    run: async (target) => {
      const headers = { 'If-None-Match': '"another"', ...revalidate };
      expectStatus(await send(target, 'GET', await find(target), { headers }), 200);
    },
  },
  {
    name: `${what} returns 412 when If-Match has another entity tag`,
    cites: 'decision: conditional requests (412)',
    readOnly: false,
    run: async (target) => {
      const headers = { 'If-Match': '"another"' };
      const response = await send(target, 'GET', await find(target), { headers });
      expectError(response, 412, 'precondition_failed');
    },
  },
  {
    name: `${what} returns 200 when If-Match has the current entity tag or *`,
    cites: 'decision: conditional requests (412); RFC 9110 section 13.1.1',
    readOnly: false,
    run: async (target) => {
      const path = await find(target);
      const { etag } = await fetchTagged(target, path);
      for (const tags of [etag, `"another", ${etag}`, '*']) {
        expectStatus(await send(target, 'GET', path, { headers: { 'If-Match': tags } }), 200);
      }
    },
  },
];

function expectNotStored(response: RawResponse): void {
  expect(response, cacheDirectives(response).includes('no-store'), 'Cache-Control: no-store');
}

export const caching: Check[] = [
  ...resources.flatMap(checksOf),
  {
    name: 'A cache may not store an error',
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
    name: 'A cache may not store the response of createPet',
    cites: 'decision: conditional requests (no-store)',
    readOnly: false,
    run: async (target) => {
      const response = await post(target, newPet());
      expectStatus(response, 201);
      expectNotStored(response);
    },
  },
];
