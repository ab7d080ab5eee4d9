import { type Check, checks, each, expectRefusal, readOnlyChecks, tableOf } from '../../check.ts';
import { expect } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { PetStatus } from '../../interface.ts';
import { expectListed, fetchPage, findPet, type Page } from '../../pages.ts';
import { addPet, examplePet, fillTo, petsOf } from '../../pets.ts';

const statuses = tableOf(PetStatus.options);

const badStatuses = {
  'one that PetStatus does not have': 'status=adopted',
  'one in capitals': 'status=Available',
  'an empty one': 'status=',
  'a list': 'status=available,sold',
  'a repeated one': 'status=sold&status=sold',
};

function expectFiltered({ response, pets }: Page, status: PetStatus): void {
  const stranger = pets.find((pet) => pet.status !== status);
  const ofFilter = 'only pets with the status of the filter';
  expect(response, stranger === undefined, ofFilter, `one with the status ${stranger?.status}`);
}

export const listPets: Check[] = [
  ...readOnlyChecks('interface: listPets', {
    'listPets returns a JSON array of Pet': async (target) => petsOf(await send(target, 'GET', '/pets')),
    ...each('The filter status=… returns only pets of that status', statuses, async (target, status) =>
      expectFiltered(await fetchPage(target, `/pets?status=${status}`), status),
    ),
  }),
  ...checks('interface: listPets', {
    'listPets returns a pet that was added': async (target) => {
      for (let count = 0; count < 2; count += 1) {
        const { id } = await addPet(target, examplePet);
        await expectListed(target, { ...examplePet, id });
      }
    },
  }),
  ...checks('interface: Pet (int64)', {
    'listPets does not round a categoryId': async (target) => {
      const categoryId = 9007199254740993n;
      const { id } = await addPet(target, { categoryId });
      await expectListed(target, { categoryId, id });
    },
  }),
  ...checks(
    'interface: States and transitions',
    each(
      'The filter status=… returns a pet of that status and no other',
      statuses,
      async (target, status) => {
        for (const other of PetStatus.options) await addPet(target, { status: other });
        await addPet(target);
        const pet = await addPet(target, { status });
        const { page } = await findPet(target, pet, `&status=${status}`);
        expectFiltered(page, status);
      },
    ),
  ),
  ...readOnlyChecks(
    'decision: bad limit, status or cursor',
    each('listPets returns 400 when status is …', badStatuses, (target, query) =>
      expectRefusal(target, `/pets?${query}`, 400, 'invalid_parameter'),
    ),
  ),
  ...checks('decision: query parameters that are not described', {
    'listPets ignores unknown query parameters': async (target) => {
      await fillTo(target, 2);
      const [plain] = petsOf(await send(target, 'GET', '/pets?limit=1'));
      const response = await send(target, 'GET', '/pets?limit=1&offset=1&page=2&colour=red&colour=blue');
      const [first] = petsOf(response);
      expect(response, first?.id === plain?.id, 'the same page as without the unknown parameters');
    },
  }),
];
