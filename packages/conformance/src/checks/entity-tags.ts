import { type Check, defineChecks } from '../check.ts';
import { expect, expectHeader, expectStatus, type RawResponse } from '../http/response.ts';
import { send } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import { fetchPage, listing, readToLastPage } from '../pets/pages.ts';
import { addPet } from '../pets/pets.ts';
import { ifNoneMatch } from '../samples/reading.ts';

const fetchOk = async (target: Target, path: string) => expectStatus(await send(target, 'GET', path), 200);

/** @throws ConformanceError when two different representations have the same entity tag */
async function expectOtherTag(target: Target, path: string, other: RawResponse): Promise<void> {
  const response = await fetchOk(target, path);
  if (response.text === other.text) return;
  const etag = response.headers.get('etag');
  expect(response, etag !== other.headers.get('etag'), 'an ETag that no other representation has', etag);
}

export const entityTags: Check[] = [
  ...defineChecks('RFC 9110 section 8.8.3', {
    'Each pet and each page has an ETag of its own': async (target) => {
      const pet = await fetchOk(target, `/pets/${(await addPet(target, { name: 'Tagged' })).id}`);
      await expectOtherTag(target, `/pets/${(await addPet(target)).id}`, pet);
      await expectOtherTag(target, '/pets?limit=2', await fetchOk(target, '/pets?limit=1'));
    },
    'The ETag of the last page changes when a pet is added, even if only its next link is new': async (
      target,
    ) => {
      await addPet(target);
      const { response, pets } = await readToLastPage(target, listing());
      // With this limit the last page is full, so that a further pet adds only a next link.
      const url = new URL(response.url);
      url.searchParams.set('limit', `${pets.length}`);
      const full = await fetchPage(target, url.href);
      // If another client has added a pet, the full page already has a next link, and does not change.
      const changing = full.next === undefined ? [response, full.response] : [response];
      await addPet(target);
      for (const before of changing) {
        const etag = (await fetchOk(target, before.url)).headers.get('etag');
        expect(before, etag !== before.headers.get('etag'), 'another ETag than before the addition', etag);
      }
    },
  }),
  ...defineChecks('RFC 9110 section 15.4.5', {
    'A 304 has the ETag of the 200': async (target) => {
      const path = `/pets/${(await addPet(target)).id}`;
      const etag = (await fetchOk(target, path)).headers.get('etag');
      const response = await send(target, 'GET', path, { headers: ifNoneMatch(etag ?? '') });
      expectHeader(expectStatus(response, 304), 'ETag', etag);
    },
  }),
];
