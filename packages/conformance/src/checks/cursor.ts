import { addPets } from '../animals.ts';
import { expect } from '../answer.ts';
import type { Check } from '../check.ts';
import { expectError } from '../error-answer.ts';
import { assert } from '../nonconformity.ts';
import { fetchPage } from '../pages.ts';
import { send } from '../send.ts';
import type { Target } from '../target.ts';

const badCursors = {
  'the service never handed out': 'cursor=no-such-cursor',
  'is not in its alphabet': 'cursor=%00%25%26',
  'is empty': 'cursor=',
  'is a plain number': 'cursor=20',
};

/** A cursor that the service handed out, for a listing with this filter. */
async function makeCursor(target: Target, filter: string): Promise<string> {
  await addPets(target, 2, { status: 'sold' });
  const { answer, next } = await fetchPage(target, `/pets?limit=1${filter}`);
  const cursor = next && new URL(next).searchParams.get('cursor');
  expect(answer, typeof cursor === 'string', 'a next link with a cursor, since there are more animals');
  return encodeURIComponent(cursor);
}

export const cursor: Check[] = [
  ...Object.entries(badCursors).map(
    ([what, query]): Check => ({
      name: `A cursor that ${what} is 400`,
      cites: 'decision: bad limit, status or cursor',
      readOnly: true,
      run: async (target) => {
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter');
      },
    }),
  ),
  {
    name: 'A cursor that is repeated is 400',
    cites: 'decision: bad limit, status or cursor',
    readOnly: false,
    run: async (target) => {
      const text = await makeCursor(target, '');
      const answer = await send(target, 'GET', `/pets?cursor=${text}&cursor=${text}`);
      expectError(answer, 400, 'invalid_parameter');
    },
  },
  {
    name: 'A cursor with another status filter is 400',
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
      await addPets(target, 1, { status: 'pending' });
      const text = await makeCursor(target, '&status=sold');
      await addPets(target, 1, { status: 'pending' });
      for (const query of [`cursor=${text}`, `status=sold&cursor=${text}`]) {
        const { answer, pets } = await fetchPage(target, `/pets?limit=100&${query}`);
        expect(
          answer,
          pets.every(({ status }) => status === 'sold'),
          'only animals that are sold',
        );
        assert(pets.length > 0, 'expected a page after the first one, but it was empty');
      }
    },
  },
];
