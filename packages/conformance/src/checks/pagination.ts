import { type Check, defineChecks, defineReadOnlyChecks } from '../check.ts';
import { expect, expectError, expectStatus } from '../http/response.ts';
import { send } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import { pageSize } from '../interface.ts';
import { fetchPage, listing, type Page, readToLastPage } from '../pets/pages.ts';
import { addPet, fillTo } from '../pets/pets.ts';

async function makeCursor(target: Target, filter: string): Promise<string> {
  for (let count = 0; count < 2; count += 1) await addPet(target, { status: 'sold' });
  const { response, link, next } = await fetchPage(target, `/pets?limit=1${filter}`);
  const cursor = next && new URL(next).searchParams.get('cursor');
  expect(response, typeof cursor === 'string', 'a next link of this origin with a cursor', link);
  return encodeURIComponent(cursor);
}

/** @throws ConformanceError unless a page behind a cursor has pets, all of them sold */
async function fetchSold(target: Target, path: string): Promise<Page> {
  const page = await fetchPage(target, path);
  const { response, pets } = page;
  const isFiltered = pets.every(({ status }) => status === 'sold');
  expect(response, isFiltered, 'only pets that are sold');
  expect(response, pets.length > 0, 'a page after the first one');
  return page;
}

export const pagination: Check[] = [
  ...defineChecks('decision: pagination', {
    'The last page has no next link': async (target) => {
      await addPet(target);
      const { response, next } = await readToLastPage(target, listing());
      expect(response, next === undefined, 'next links that come to an end', next);
    },
    'A next link leads to a page with pets': async (target) => {
      await addPet(target);
      const last = await readToLastPage(target, listing());
      expect(last.response, last.pets.length > 0, 'no next link to an empty page');
      // With a limit of its length, the last page is full: a service could take that for a sign of further pets.
      const url = new URL(last.response.url);
      url.searchParams.set('limit', `${last.pets.length}`);
      const full = await fetchPage(target, url.href);
      const end = full.next === undefined ? full : await fetchPage(target, full.next);
      expect(end.response, end.pets.length > 0, 'no next link to an empty page');
    },
    'The next link keeps the limit': async (target) => {
      await fillTo(target, 5);
      const { response, link, next } = await fetchPage(target, '/pets?limit=2');
      expect(response, next !== undefined, 'a next link of this origin with a cursor', link);
      const second = await fetchPage(target, next);
      expect(second.response, second.pets.length === 2, '2 pets on the second page', second.pets.length);
    },
    'Links do not contain a host that the request names': async (target) => {
      await fillTo(target, 2);
      const headers = { 'X-Forwarded-Host': 'elsewhere.example', Forwarded: 'host=elsewhere.example' };
      const response = expectStatus(await send(target, 'GET', '/pets?limit=1', { headers }), 200);
      const link = response.headers.get('link') ?? '';
      expect(response, !link.includes('elsewhere.example'), 'no host that the request names', link);
    },
  }),
  ...defineReadOnlyChecks('decision: pagination', {
    'Pets are listed in ascending order of their ids': async (target) => {
      const first = await fetchPage(target, '/pets?limit=5');
      const pages = first.next === undefined ? [first] : [first, await fetchPage(target, first.next)];
      const ids = pages.flatMap(({ pets }) => pets.map(({ id }) => id));
      const isAscending = ids.every((id, index) => ids.slice(0, index).every((earlier) => earlier < id));
      expect(first.response, isAscending, 'ids in ascending order', ids);
    },
  }),
  ...defineChecks('decision: cursor', {
    'listPets returns 400 when cursor is repeated': async (target) => {
      const cursor = await makeCursor(target, '');
      const response = await send(target, 'GET', `/pets?cursor=${cursor}&cursor=${cursor}`);
      expectError(response, 400, 'invalid_parameter');
    },
    'listPets returns 400 when status differs from the status of the cursor': async (target) => {
      const sold = await makeCursor(target, '&status=sold');
      const any = await makeCursor(target, '');
      for (const query of [`status=pending&cursor=${sold}`, `status=sold&cursor=${any}`]) {
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter');
      }
    },
    'A cursor carries its status filter': async (target) => {
      const cursor = await makeCursor(target, '&status=sold');
      await addPet(target, { status: 'pending' });
      await addPet(target, { status: 'sold' });
      for (const query of [`&cursor=${cursor}`, `&status=sold&cursor=${cursor}`]) {
        const { response, link, next } = await fetchSold(target, `/pets?limit=1${query}`);
        expect(response, next !== undefined, 'a next link of this origin with a cursor', link);
        // If there are older pets that are sold, the pending one may be far behind these.
        const url = new URL(next);
        url.searchParams.set('limit', `${pageSize.maximum}`);
        await fetchSold(target, url.href);
      }
    },
  }),
];
