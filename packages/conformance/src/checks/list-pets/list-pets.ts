import { PetStatus } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { assert } from '../../conformance-error.ts';
import { expectError } from '../../http/error-response.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { findPage } from '../../pages.ts';
import { addPet, examplePet, expectEqual, fillTo, petsOf } from '../../pets.ts';

const badStatuses = {
  'one that PetStatus does not have': 'status=adopted',
  'one in capitals': 'status=Available',
  'an empty one': 'status=',
  'a list': 'status=available,sold',
  'a repeated one': 'status=sold&status=sold',
};

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
      const { response, pets } = await findPage(target, [added]);
      const listed = pets.find(({ id }) => id === added.id);
      expect(response, listed !== undefined, `the pet ${added.id}`);
      expectEqual(response, listed, examplePet);
    },
  },
  ...PetStatus.options.map(
    (status): Check => ({
      name: `The filter status=${status} returns only pets that are ${status}`,
      cites: 'interface: listPets',
      readOnly: true,
      run: async (target) => {
        const response = await send(target, 'GET', `/pets?status=${status}`);
        expect(
          response,
          petsOf(response).every((pet) => pet.status === status),
          `only status ${status}`,
        );
      },
    }),
  ),
  ...PetStatus.options.map(
    (status): Check => ({
      name: `The filter status=${status} returns a pet that is ${status} and no other`,
      cites: 'interface: States and transitions',
      readOnly: false,
      run: async (target) => {
        for (const other of [...PetStatus.options, undefined])
          await addPet(target, other && { status: other });
        const pet = await addPet(target, { status });
        const { pets } = await findPage(target, [pet], `&status=${status}`);
        const strangers = pets.filter((listed) => listed.status !== status);
        assert(
          strangers.length === 0,
          `expected only ${status} pets, but there was one ${strangers[0]?.status}`,
        );
      },
    }),
  ),
  ...Object.entries(badStatuses).map(
    ([what, query]): Check => ({
      name: `listPets returns 400 when status is ${what}`,
      cites: 'decision: bad limit, status or cursor',
      readOnly: true,
      run: async (target) => {
        expectError(await send(target, 'GET', `/pets?${query}`), 400, 'invalid_parameter');
      },
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
