import { addPet, fillTo, petsOf } from '../animals.ts';
import { expect } from '../answer.ts';
import type { Check } from '../check.ts';
import { expectError } from '../error-answer.ts';
import { send } from '../send.ts';
import type { Target } from '../target.ts';

const badLimits = {
  'is 0': 'limit=0',
  'is nothing but zeros': 'limit=000',
  'is 101': 'limit=101',
  'is negative': 'limit=-1',
  'is a fraction': 'limit=1.5',
  'is hexadecimal (0x10)': 'limit=0x10',
  'has an exponent (1e1)': 'limit=1e1',
  'has a plus sign (+5)': 'limit=%2B5',
  'has spaces around it': 'limit=%205%20',
  'is empty': 'limit=',
  'has no value': 'limit',
  'is a word': 'limit=many',
  'is written in other digits than 0 to 9': 'limit=%D9%A5',
  'is huge': `limit=${'9'.repeat(40)}`,
  'is repeated': 'limit=5&limit=5',
};

async function expectCount(target: Target, query: string, count: number): Promise<void> {
  const answer = await send(target, 'GET', `/pets${query}`);
  const { length } = petsOf(answer);
  expect(answer, length === count, `${count} animals, since there are more, rather than ${length}`);
}

export const limit: Check[] = [
  {
    name: 'Without a limit, a page has 20 animals',
    cites: 'interface: Limits (default 20)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 21);
      await expectCount(target, '', 20);
    },
  },
  {
    name: 'A page never has more than 20 animals without a limit',
    cites: 'interface: Limits (default 20)',
    readOnly: true,
    run: async (target) => {
      const answer = await send(target, 'GET', '/pets');
      expect(answer, petsOf(answer).length <= 20, 'at most 20 animals');
    },
  },
  {
    name: 'A page has as many animals as limit says',
    cites: 'interface: listPets (limit)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 21);
      for (const count of [1, 7, 21]) await expectCount(target, `?limit=${count}`, count);
    },
  },
  {
    name: 'A limit of 100 is allowed and gives 100 animals',
    cites: 'interface: Limits (maximum 100)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 100);
      await addPet(target);
      await expectCount(target, '?limit=100', 100);
    },
  },
  {
    name: 'Zeros before a limit do no harm',
    cites: 'decision: bad limit, status or cursor (leading zeros)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 11);
      for (const limit of ['007', '010']) await expectCount(target, `?limit=${limit}`, Number(limit));
    },
  },
  ...[1, 100].map(
    (count): Check => ({
      name: `A page never has more animals than limit=${count}`,
      cites: 'interface: listPets (limit)',
      readOnly: true,
      run: async (target) => {
        const answer = await send(target, 'GET', `/pets?limit=${count}`);
        expect(answer, petsOf(answer).length <= count, `at most ${count} animals`);
      },
    }),
  ),
  ...Object.entries(badLimits).map(
    ([what, query]): Check => ({
      name: `A limit that ${what} is 400`,
      cites: 'decision: bad limit, status or cursor',
      readOnly: true,
      run: async (target) => {
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter');
      },
    }),
  ),
];
