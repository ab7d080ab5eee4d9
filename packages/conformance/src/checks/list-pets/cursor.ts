import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { fetchPage } from '../../pages.ts';
import { addPet } from '../../pets.ts';
import type { Target } from '../../target.ts';

const badCursors = {
  'is one that the service never returned': 'cursor=no-such-cursor',
  'is not in its alphabet': 'cursor=%00%25%26',
  'is empty': 'cursor=',
  'is a plain number': 'cursor=20',
};

/** A cursor that the service handed out, for a listing with this filter. */
async function makeCursor(target: Target, filter: string): Promise<string> {
  for (let count = 0; count < 2; count += 1) await addPet(target, { status: 'sold' });
  const { response, next } = await fetchPage(target, `/pets?limit=1${filter}`);
  const cursor = next && new URL(next).searchParams.get('cursor');
  expect(response, typeof cursor === 'string', 'a next link with a cursor, since there are more pets');
  return encodeURIComponent(cursor);
}

export const cursor: Check[] = [
  ...Object.entries(badCursors).map(
    ([what, query]): Check => ({
      name: `listPets returns 400 when cursor ${what}`,
      cites: 'decision: bad limit, status or cursor',
      readOnly: true,
      run: async (target) =>
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter'),
    }),
  ),
  {
    name: 'listPets returns 400 when cursor is repeated',
    cites: 'decision: bad limit, status or cursor',
    readOnly: false,
    run: async (target) => {
      const text = await makeCursor(target, '');
      const response = await send(target, 'GET', `/pets?cursor=${text}&cursor=${text}`);
      expectError(response, 400, 'invalid_parameter');
    },
  },
  {
    name: 'listPets returns 400 when status is not that of the cursor',
    cites: 'decision: cursor',
    readOnly: false,
    run: async (target) => {
      const sold = await makeCursor(target, '&status=sold');
      const any = await makeCursor(target, '');
      expectError(await send(target, 'GET', `/pets?status=pending&cursor=${sold}`), 400, 'invalid_parameter');
      expectError(await send(target, 'GET', `/pets?status=sold&cursor=${any}`), 400, 'invalid_parameter');
    },
  },
  {
    name: 'A cursor carries its status filter',
    cites: 'decision: cursor',
    readOnly: false,
    run: async (target) => {
      await addPet(target, { status: 'pending' });
      const text = await makeCursor(target, '&status=sold');
      await addPet(target, { status: 'pending' });
      for (const query of [`cursor=${text}`, `status=sold&cursor=${text}`]) {
        const { response, pets } = await fetchPage(target, `/pets?limit=100&${query}`);
        const others = pets.filter(({ status }) => status !== 'sold');
        expect(response, others.length === 0, 'only pets that are sold');
        expect(response, pets.length > 0, 'a page after the first one');
      }
    },
  },
];
