import { PetStatus } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { fetchPage, findPet, type Page } from '../../pages.ts';
import { addPet, examplePet, expectMembers, fillTo, petsOf } from '../../pets.ts';

const badStatuses = {
  'one that PetStatus does not have': 'status=adopted',
  'one in capitals': 'status=Available',
  'an empty one': 'status=',
  'a list': 'status=available,sold',
  'a repeated one': 'status=sold&status=sold',
};

/** Looks for a status filter that lets other pets through. */
function expectFiltered({ response, pets }: Page, status: PetStatus): void {
  const stranger = pets.find((pet) => pet.status !== status);
  const ofFilter = 'only pets with the status of the filter';
  expect(response, stranger === undefined, ofFilter, `one with the status ${stranger?.status}`);
}

export const listPets: Check[] = [
  {
    name: 'listPets returns a JSON array of Pet',
    cites: 'interface: listPets',
    readOnly: true,
    run: async (target) => {
      petsOf(await send(target, 'GET', '/pets'));
    },
  },
  {
    name: 'listPets returns a pet that was added',
    cites: 'interface: listPets',
    readOnly: false,
    run: async (target) => {
      const added = await addPet(target, examplePet);
      const { page, listed = added } = await findPet(target, added);
      expectMembers(page.response, listed, examplePet);
    },
  },
  {
    name: 'listPets does not round a categoryId',
    cites: 'interface: Pet (int64)',
    readOnly: false,
    run: async (target) => {
      const categoryId = 9007199254740993n;
      const added = await addPet(target, { categoryId });
      const { page, listed = added } = await findPet(target, added);
      expectMembers(page.response, listed, { categoryId });
    },
  },
  ...PetStatus.options.map(
    (status): Check => ({
      name: `The filter status=${status} returns only pets that are ${status}`,
      cites: 'interface: listPets',
      readOnly: true,
      run: async (target) => expectFiltered(await fetchPage(target, `/pets?status=${status}`), status),
    }),
  ),
  ...PetStatus.options.map(
    (status): Check => ({
      name: `The filter status=${status} returns a pet that is ${status} and no other`,
      cites: 'interface: States and transitions',
      readOnly: false,
      run: async (target) => {
        for (const other of PetStatus.options) await addPet(target, { status: other });
        await addPet(target);
        const pet = await addPet(target, { status });
        const { page } = await findPet(target, pet, `&status=${status}`);
        expectFiltered(page, status);
      },
    }),
  ),
  ...Object.entries(badStatuses).map(
    ([what, query]): Check => ({
      name: `listPets returns 400 when status is ${what}`,
      cites: 'decision: bad limit, status or cursor',
      readOnly: true,
      run: async (target) =>
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter'),
    }),
  ),
  {
    name: 'listPets ignores unknown query parameters',
    cites: 'decision: query parameters that are not described',
    readOnly: false,
    run: async (target) => {
      await fillTo(target, 2);
      const [plain] = petsOf(await send(target, 'GET', '/pets?limit=1'));
      const response = await send(target, 'GET', '/pets?limit=1&offset=1&page=2&colour=red&colour=blue');
      expect(
        response,
        petsOf(response)[0]?.id === plain?.id,
        'the same page as without the unknown parameters',
      );
    },
  },
];
