import type { Check } from '../../check.ts';
import { expectError, expectErrorBody } from '../../http/error-response.ts';
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

/** Fetches a page of a store that has more pets than it may have. */
async function expectCount(target: Target, query: string, count: number): Promise<void> {
  const response = await send(target, 'GET', `/pets${query}`);
  const { length } = petsOf(response);
  expect(
    response,
    length === count,
    'as many pets as the limit, since there are more',
    `${length} of ${count}`,
  );
}

async function expectAtMost(target: Target, query: string, count: number): Promise<void> {
  const response = await send(target, 'GET', `/pets${query}`);
  const { length } = petsOf(response);
  expect(response, length <= count, 'at most as many pets as the limit', `${length} of ${count}`);
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
    run: (target) => expectAtMost(target, '', 20),
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
  ...[1, 100].map(
    (count): Check => ({
      name: `A page has at most as many pets as limit=${count}`,
      cites: 'interface: listPets (limit)',
      readOnly: true,
      run: (target) => expectAtMost(target, `?limit=${count}`, count),
    }),
  ),
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
    name: 'A page never has more than 100 pets',
    cites: 'interface: Limits (maximum 100)',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 100);
      await addPet(target);
      for (const limit of [101, 1_000]) {
        const response = await send(target, 'GET', `/pets?limit=${limit}`);
        // The interface document does not say what a limit beyond the maximum leads to.
        if (response.status === 200) petsOf(response);
      }
    },
  },
  {
    name: 'Where listPets refuses a limit or a status, it returns an Error body',
    cites: 'interface: Errors',
    readOnly: true,
    run: async (target) => {
      for (const query of ['limit=0', 'limit=101', 'status=adopted']) {
        const response = await send(target, 'GET', `/pets?${query}`);
        if (response.status !== 200) expectErrorBody(response);
      }
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
  ...Object.entries(badLimits).map(
    ([what, query]): Check => ({
      name: `listPets returns 400 when limit ${what}`,
      cites: 'decision: bad limit, status or cursor',
      readOnly: true,
      run: async (target) =>
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter'),
    }),
  ),
];
