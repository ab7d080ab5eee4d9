import { type Check, checks, each, expectRefusal, readOnlyChecks, tableOf } from '../../check.ts';
import { expect, expectErrorBody } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { pageSize } from '../../interface.ts';
import { fetchPage } from '../../pages.ts';
import { addPet, fillTo, petsOf } from '../../pets.ts';
import type { Target } from '../../target.ts';

const { minimum, maximum, default: defaultSize } = pageSize;

const badLimits = {
  [`is ${minimum - 1}`]: `limit=${minimum - 1}`,
  'is nothing but zeros': 'limit=000',
  [`is ${maximum + 1}`]: `limit=${maximum + 1}`,
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

async function expectAtMost(target: Target, query: string, count: number): Promise<void> {
  const { response, pets } = await fetchPage(target, `/pets${query}`);
  expect(response, pets.length <= count, 'at most as many pets as the limit', `${pets.length} of ${count}`);
}

async function expectPets(target: Target, query: string, count: number): Promise<void> {
  await fillTo(target, Math.min(count + 1, maximum));
  // There must be more pets than the limit, and fillTo counts only the pets of one page.
  if (count === maximum) await addPet(target);
  const { response, pets } = await fetchPage(target, `/pets${query}`);
  const expected = 'as many pets as the limit, since there are more';
  expect(response, pets.length === count, expected, `${pets.length} of ${count}`);
}

export const limit: Check[] = [
  ...checks('interface: Limits', {
    [`A page has ${defaultSize} pets when there is no limit`]: (target) =>
      expectPets(target, '', defaultSize),
    [`A page has ${maximum} pets when limit is ${maximum}`]: (target) =>
      expectPets(target, `?limit=${maximum}`, maximum),
    [`A page never has more than ${maximum} pets`]: async (target) => {
      await fillTo(target, maximum);
      await addPet(target);
      for (const limit of [maximum + 1, 10 * maximum]) {
        const response = await send(target, 'GET', `/pets?limit=${limit}`);
        // The interface document does not say what a limit beyond the maximum leads to.
        if (response.status === 200) petsOf(response);
      }
    },
  }),
  ...checks('interface: listPets (limit)', {
    'A page has as many pets as limit says': async (target) => {
      for (const count of [1, 7, 21]) await expectPets(target, `?limit=${count}`, count);
    },
  }),
  ...readOnlyChecks('interface: Limits', {
    [`A page has at most ${defaultSize} pets when there is no limit`]: (target) =>
      expectAtMost(target, '', defaultSize),
    ...each(
      'A page has at most as many pets as limit=…',
      tableOf([`${minimum}`, `${maximum}`]),
      (target, count) => expectAtMost(target, `?limit=${count}`, Number(count)),
    ),
  }),
  ...readOnlyChecks('interface: Errors', {
    'Where listPets refuses a limit or a status, it returns an Error body': async (target) => {
      for (const query of ['limit=0', `limit=${maximum + 1}`, 'status=adopted']) {
        const response = await send(target, 'GET', `/pets?${query}`);
        if (response.status !== 200) expectErrorBody(response);
      }
    },
  }),
  ...checks('decision: bad limit, status or cursor', {
    'A limit may have leading zeros': async (target) => {
      for (const limit of ['007', '010']) await expectPets(target, `?limit=${limit}`, Number(limit));
    },
  }),
  ...readOnlyChecks(
    'decision: bad limit, status or cursor',
    each('listPets returns 400 when limit …', badLimits, (target, query) =>
      expectRefusal(target, `/pets?${query}`, 400, 'invalid_parameter'),
    ),
  ),
];
