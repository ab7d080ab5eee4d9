import { type Check, defineChecks, defineReadOnlyChecks, each, tableOf } from '../check.ts';
import { expect, expectErrorBody } from '../http/response.ts';
import { send } from '../http/send.ts';
import type { Target } from '../http/target.ts';
import { PetStatus, pageSize } from '../interface.ts';
import { fetchPage, findPage, type Page } from '../pets/pages.ts';
import { addPet, fillTo, petsOf } from '../pets/pets.ts';

const { maximum, default: defaultSize } = pageSize;
const statuses = tableOf(PetStatus.options);

function expectFiltered({ response, pets }: Page, status: PetStatus): void {
  const wrongPet = pets.find((pet) => pet.status !== status);
  const expected = 'only pets with the status of the filter';
  expect(response, wrongPet === undefined, expected, `one with the status ${wrongPet?.status}`);
}

async function fillAndExpectFullPage(target: Target, query: string, count: number): Promise<void> {
  await fillTo(target, count);
  await addPet(target);
  await expectFullPage(target, query, count);
}

async function expectFullPage(target: Target, query: string, count: number): Promise<void> {
  const { response, pets } = await fetchPage(target, `/pets${query}`);
  const expected = 'as many pets as the limit, since there are more';
  expect(response, pets.length === count, expected, `${pets.length} of ${count}`);
}

async function expectAtMost(target: Target, query: string, count: number): Promise<void> {
  const { response, pets } = await fetchPage(target, `/pets${query}`);
  expect(response, pets.length <= count, 'at most as many pets as the limit', `${pets.length} of ${count}`);
}

/** @throws ConformanceError unless the response is an array of pets, or an error with a status below 500 */
async function expectPetsOrError(target: Target, query: string): Promise<unknown> {
  const response = await send(target, 'GET', `/pets?${query}`);
  if (response.status === 200) return petsOf(response);
  expect(response, response.status < 500, 'a status below 500', response.status);
  expectErrorBody(response);
}

export const listPets: Check[] = [
  ...defineReadOnlyChecks('interface: listPets', {
    'listPets returns a JSON array of Pet': async (target) => petsOf(await send(target, 'GET', '/pets')),
    ...each('The filter status=… returns only pets of that status', statuses, async (target, status) =>
      expectFiltered(await fetchPage(target, `/pets?status=${status}`), status),
    ),
  }),
  ...defineChecks(
    'interface: States and transitions',
    each('The filter status=… returns pets of that status, no others', statuses, async (target, status) => {
      // Two of these pets have the status, and `pet` is a third one: one more than the limit of the full page.
      for (const added of [status, ...PetStatus.options]) await addPet(target, { status: added });
      // No filter may return a pet without a status.
      await addPet(target);
      const pet = await addPet(target, { status });
      expectFiltered(await findPage(target, pet, `&status=${status}`), status);
      await expectFullPage(target, `?limit=2&status=${status}`, 2);
    }),
  ),
];

/** Most of these fill a page. A service without pagination may then list no later pet, so they run after `createPet`. */
export const fullPages: Check[] = [
  ...defineChecks('interface: listPets (limit)', {
    'A page has as many pets as limit says': async (target) => {
      for (const count of [1, 7, defaultSize + 1, maximum]) {
        await fillAndExpectFullPage(target, `?limit=${count}`, count);
      }
    },
  }),
  ...defineChecks('interface: Limits', {
    [`A page has ${defaultSize} pets when there is no limit`]: (target) =>
      fillAndExpectFullPage(target, '', defaultSize),
    [`A page never has more than ${maximum} pets`]: async (target) => {
      await fillTo(target, maximum);
      await addPet(target);
      // A limit beyond the maximum may be refused. `petsOf` refuses a page beyond the maximum.
      for (const limit of [maximum + 1, 10 * maximum]) await expectPetsOrError(target, `limit=${limit}`);
    },
  }),
  ...defineReadOnlyChecks('interface: Limits', {
    [`A page has at most ${defaultSize} pets when there is no limit`]: (target) =>
      expectAtMost(target, '', defaultSize),
    'A page has at most as many pets as limit says': async (target) => {
      for (const limit of [1, 7, maximum]) await expectAtMost(target, `?limit=${limit}`, limit);
    },
  }),
  ...defineReadOnlyChecks('interface: Errors', {
    'Where listPets refuses a limit or a status, it returns an Error body': async (target) => {
      for (const query of ['limit=0', 'limit=many', 'status=adopted']) await expectPetsOrError(target, query);
    },
  }),
  ...defineChecks('decision: bad limit, status or cursor', {
    'A limit may have leading zeros': (target) => fillAndExpectFullPage(target, '?limit=010', 10),
  }),
  ...defineChecks('decision: query parameters that are not described', {
    'listPets ignores unknown query parameters': async (target) => {
      await fillTo(target, 2);
      const [plain] = petsOf(await send(target, 'GET', '/pets?limit=1'));
      const response = await send(target, 'GET', '/pets?limit=1&offset=1&page=2&colour=red&colour=blue');
      const [first] = petsOf(response);
      expect(response, first?.id === plain?.id, 'the same page as without the unknown parameters');
    },
  }),
];
