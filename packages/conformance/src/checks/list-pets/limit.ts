import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { addPet, fillTo, petsOf } from '../../pets.ts';
import type { Target } from '../../target.ts';

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
  const response = await send(target, 'GET', `/pets${query}`);
  const { length } = petsOf(response);
  expect(response, length === count, `${count} pets, since there are more, rather than ${length}`);
}

export const limit: Check[] = [
  {
    name: 'A page has 20 pets when there is no limit',
    cites: 'interface: Limits (default 20)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 21);
      await expectCount(target, '', 20);
    },
  },
  {
    name: 'A page has at most 20 pets when there is no limit',
    cites: 'interface: Limits (default 20)',
    readOnly: true,
    run: async (target) => {
      const response = await send(target, 'GET', '/pets');
      expect(response, petsOf(response).length <= 20, 'at most 20 pets');
    },
  },
  {
    name: 'A page has as many pets as limit says',
    cites: 'interface: listPets (limit)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 21);
      for (const count of [1, 7, 21]) await expectCount(target, `?limit=${count}`, count);
    },
  },
  {
    name: 'A page has 100 pets when limit is 100',
    cites: 'interface: Limits (maximum 100)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 100);
      await addPet(target);
      await expectCount(target, '?limit=100', 100);
    },
  },
  {
    name: 'A limit may have leading zeros',
    cites: 'decision: bad limit, status or cursor (leading zeros)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 11);
      for (const limit of ['007', '010']) await expectCount(target, `?limit=${limit}`, Number(limit));
    },
  },
  ...[1, 100].map(
    (count): Check => ({
      name: `A page has at most as many pets as limit=${count}`,
      cites: 'interface: listPets (limit)',
      readOnly: true,
      run: async (target) => {
        const response = await send(target, 'GET', `/pets?limit=${count}`);
        expect(response, petsOf(response).length <= count, `at most ${count} pets`);
      },
    }),
  ),
  ...Object.entries(badLimits).map(
    ([what, query]): Check => ({
      name: `listPets returns 400 when limit ${what}`,
      cites: 'decision: bad limit, status or cursor',
      readOnly: true,
      run: async (target) => {
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter');
      },
    }),
  ),
];
