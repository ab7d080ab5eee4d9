import { type Check, check, readOnlyCheck, refusals } from '../../check.ts';
import { expect, expectError } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { fetchPage, listing, type Page, readListing } from '../../pages.ts';
import { addPet, fillTo, petsOf } from '../../pets.ts';
import type { Target } from '../../target.ts';

const PAGINATION = 'decision: pagination';
const BAD_CURSOR = 'decision: bad limit, status or cursor';

const badCursors = {
  'listPets returns 400 when cursor is one that the service never returned': '/pets?cursor=no-such-cursor',
  'listPets returns 400 when cursor is not in its alphabet': '/pets?cursor=%00%25%26',
  'listPets returns 400 when cursor is empty': '/pets?cursor=',
  'listPets returns 400 when cursor is a plain number': '/pets?cursor=20',
};

/** A cursor that the service handed out, for a listing with this filter. */
async function makeCursor(target: Target, filter: string): Promise<string> {
  for (let count = 0; count < 2; count += 1) await addPet(target, { status: 'sold' });
  const { response, next } = await fetchPage(target, `/pets?limit=1${filter}`);
  const cursor = next && new URL(next).searchParams.get('cursor');
  expect(response, typeof cursor === 'string', 'a next link with a cursor, since there are more pets');
  return encodeURIComponent(cursor);
}

export const pagination: Check[] = [
  check('A page that is not the last links to the next', `${PAGINATION} (RFC 8288)`, async (target) => {
    await fillTo(target, 2);
    const { response, next } = await fetchPage(target, '/pets?limit=1');
    expect(response, next !== undefined, 'a Link with rel="next" at this origin, since there are more pets');
    expect(response, new URL(next).searchParams.has('cursor'), 'a cursor in the next link', next);
  }),
  check('The last page has no next link', PAGINATION, async (target) => {
    await addPet(target);
    const { response, next } = await readListing(target, listing());
    expect(response, next === undefined, 'next links that come to an end', next);
  }),
  readOnlyCheck(
    'Pets are listed in ascending order of their ids',
    `${PAGINATION} (ordered by id)`,
    async (target) => {
      let last: Page['pets'][number] | undefined;
      const first = await fetchPage(target, '/pets?limit=5');
      const second = first.next === undefined ? [] : [await fetchPage(target, first.next)];
      for (const { response, pets } of [first, ...second]) {
        for (const pet of pets) {
          const isAscending = last === undefined || last.id < pet.id;
          expect(response, isAscending, 'ids in ascending order', `${pet.id} after ${last?.id}`);
          last = pet;
        }
      }
    },
  ),
  check('The next link keeps the limit', PAGINATION, async (target) => {
    await fillTo(target, 5);
    const { response, next } = await fetchPage(target, '/pets?limit=2');
    expect(response, next !== undefined, 'a next link, since there are more pets');
    const second = await fetchPage(target, next);
    expect(second.response, second.pets.length === 2, '2 pets on the second page', second.pets.length);
  }),
  check(
    'Links do not contain a host that the request names',
    `${PAGINATION} (never made from the Host field)`,
    async (target) => {
      await fillTo(target, 2);
      const headers = { 'X-Forwarded-Host': 'elsewhere.example', Forwarded: 'host=elsewhere.example' };
      const response = await send(target, 'GET', '/pets?limit=1', { headers });
      petsOf(response);
      const link = response.headers.get('link') ?? '';
      expect(response, !link.includes('elsewhere.example'), 'no host that the request names', link);
    },
  ),
];

export const cursor: Check[] = [
  ...refusals(BAD_CURSOR, badCursors, 400, 'invalid_parameter'),
  check('listPets returns 400 when cursor is repeated', BAD_CURSOR, async (target) => {
    const text = await makeCursor(target, '');
    const response = await send(target, 'GET', `/pets?cursor=${text}&cursor=${text}`);
    expectError(response, 400, 'invalid_parameter');
  }),
  check('listPets returns 400 when status is not that of the cursor', 'decision: cursor', async (target) => {
    const sold = await makeCursor(target, '&status=sold');
    const any = await makeCursor(target, '');
    for (const query of [`status=pending&cursor=${sold}`, `status=sold&cursor=${any}`]) {
      expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter');
    }
  }),
  check('A cursor carries its status filter', 'decision: cursor', async (target) => {
    await addPet(target, { status: 'pending' });
    const text = await makeCursor(target, '&status=sold');
    await addPet(target, { status: 'pending' });
    for (const query of [`cursor=${text}`, `status=sold&cursor=${text}`]) {
      const { response, pets } = await fetchPage(target, `/pets?limit=100&${query}`);
      const others = pets.filter(({ status }) => status !== 'sold');
      expect(response, others.length === 0, 'only pets that are sold');
      expect(response, pets.length > 0, 'a page after the first one');
    }
  }),
];
