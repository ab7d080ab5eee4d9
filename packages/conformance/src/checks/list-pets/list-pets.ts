import { PetStatus } from '@petstore/contract';
import { type Check, check, readOnlyCheck, refusals } from '../../check.ts';
import { expect } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { fetchPage, findPet, type Page } from '../../pages.ts';
import { addPet, examplePet, expectMembers, fillTo, petsOf } from '../../pets.ts';

const badStatuses = {
  'listPets returns 400 when status is one that PetStatus does not have': '/pets?status=adopted',
  'listPets returns 400 when status is one in capitals': '/pets?status=Available',
  'listPets returns 400 when status is an empty one': '/pets?status=',
  'listPets returns 400 when status is a list': '/pets?status=available,sold',
  'listPets returns 400 when status is a repeated one': '/pets?status=sold&status=sold',
};

/** Looks for a status filter that lets other pets through. */
function expectFiltered({ response, pets }: Page, status: PetStatus): void {
  const stranger = pets.find((pet) => pet.status !== status);
  const ofFilter = 'only pets with the status of the filter';
  expect(response, stranger === undefined, ofFilter, `one with the status ${stranger?.status}`);
}

export const listPets: Check[] = [
  readOnlyCheck('listPets returns a JSON array of Pet', 'interface: listPets', async (target) =>
    petsOf(await send(target, 'GET', '/pets')),
  ),
  check('listPets returns a pet that was added', 'interface: listPets', async (target) => {
    const added = await addPet(target, examplePet);
    const { page, listed = added } = await findPet(target, added);
    expectMembers(page.response, listed, examplePet);
  }),
  check('listPets does not round a categoryId', 'interface: Pet (int64)', async (target) => {
    const categoryId = 9007199254740993n;
    const added = await addPet(target, { categoryId });
    const { page, listed = added } = await findPet(target, added);
    expectMembers(page.response, listed, { categoryId });
  }),
  ...PetStatus.options.map((status) =>
    readOnlyCheck(
      `The filter status=${status} returns only pets that are ${status}`,
      'interface: listPets',
      async (target) => expectFiltered(await fetchPage(target, `/pets?status=${status}`), status),
    ),
  ),
  ...PetStatus.options.map((status) =>
    check(
      `The filter status=${status} returns a pet that is ${status} and no other`,
      'interface: States and transitions',
      async (target) => {
        for (const other of PetStatus.options) await addPet(target, { status: other });
        await addPet(target);
        const pet = await addPet(target, { status });
        const { page } = await findPet(target, pet, `&status=${status}`);
        expectFiltered(page, status);
      },
    ),
  ),
  ...refusals('decision: bad limit, status or cursor', badStatuses, 400, 'invalid_parameter'),
  check(
    'listPets ignores unknown query parameters',
    'decision: query parameters that are not described',
    async (target) => {
      await fillTo(target, 2);
      const [plain] = petsOf(await send(target, 'GET', '/pets?limit=1'));
      const response = await send(target, 'GET', '/pets?limit=1&offset=1&page=2&colour=red&colour=blue');
      const [first] = petsOf(response);
      expect(response, first?.id === plain?.id, 'the same page as without the unknown parameters');
    },
  ),
];
