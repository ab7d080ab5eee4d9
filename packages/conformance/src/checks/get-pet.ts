import { addPet, fetchPet, petOf, unusedId } from '../animals.ts';
import { expect } from '../answer.ts';
import type { Check } from '../check.ts';
import { expectError } from '../error-answer.ts';
import { assert } from '../nonconformity.ts';
import { fetchPage } from '../pages.ts';
import { send } from '../send.ts';

const noInt64 = {
  'a word': 'abc',
  'a fraction': '1.5',
  hexadecimal: '0x10',
  'a space': '%20',
  'beyond int64': '9223372036854775808',
  huge: '9'.repeat(60),
  'an encoded slash': '1%2F2',
};

export const getPet: Check[] = [
  {
    name: 'getPet gives the animal that was added',
    cites: 'interface: getPet (200)',
    readOnly: false,
    run: async (target) => {
      const added = await addPet(target, { name: 'Fetched', categoryId: 7, status: 'sold' });
      const fetched = await fetchPet(target, added);
      assert(
        fetched.id === added.id &&
          fetched.name === 'Fetched' &&
          fetched.categoryId === 7 &&
          fetched.status === 'sold',
        `expected ${added.id}, Fetched, 7, sold, but it was ${Object.values(fetched).join(', ')}`,
      );
    },
  },
  {
    name: 'getPet gives what the listing gives',
    cites: 'interface: getPet (200)',
    readOnly: true,
    run: async (target) => {
      const { pets } = await fetchPage(target, '/pets?limit=3');
      for (const pet of pets) {
        const answer = await send(target, 'GET', `/pets/${pet.id}`);
        const fetched = petOf(answer, 200);
        const equal =
          fetched.id === pet.id && fetched.name === pet.name && fetched.categoryId === pet.categoryId;
        expect(answer, equal, `the animal ${pet.id} as it is in the listing`);
      }
    },
  },
  {
    name: 'An id that no animal has is 404',
    cites: 'interface: getPet (404)',
    readOnly: true,
    run: async (target) => {
      expectError(await send(target, 'GET', `/pets/${unusedId()}`), 404, 'pet_not_found');
    },
  },
  ...Object.entries(noInt64).map(
    ([what, petId]): Check => ({
      name: `A petId that is ${what} is 404`,
      cites: 'decision: petId that is not an int64',
      readOnly: true,
      run: async (target) => {
        expectError(await send(target, 'GET', `/pets/${petId}`), 404, 'pet_not_found', 'path_not_found');
      },
    }),
  ),
  {
    name: 'An id has one notation: with a sign, zeros or an exponent it is 404',
    cites: 'decision: notations of petId',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      for (const petId of [`+${id}`, `0${id}`, `${id}.0`, `${id}e0`, `%20${id}`, `${id}%20`]) {
        expectError(await send(target, 'GET', `/pets/${petId}`), 404, 'pet_not_found');
      }
    },
  },
];
