import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { send } from '../../http/send.ts';
import { addPet, examplePet, expectMembers, fetchPet, petOf, petsOf, unusedId } from '../../pets.ts';

const noInt64 = {
  'a word': 'abc',
  'a fraction': '1.5',
  hexadecimal: '0x10',
  'a space': '%20',
  'beyond int64': '9223372036854775808',
  huge: '9'.repeat(60),
  'an encoded slash': '1%2F2',
  'no percent-encoding': '%ZZ',
};

export const getPet: Check[] = [
  {
    name: 'getPet returns the pet that was added',
    cites: 'interface: getPet (200)',
    readOnly: false,
    run: async (target) => {
      const added = await addPet(target, examplePet);
      const { response, pet } = await fetchPet(target, added);
      expectMembers(response, pet, { ...examplePet, id: added.id });
    },
  },
  {
    name: 'getPet returns what listPets returns',
    cites: 'interface: getPet (200)',
    readOnly: true,
    run: async (target) => {
      for (const listed of petsOf(await send(target, 'GET', '/pets?limit=3'))) {
        const { response, pet } = await fetchPet(target, listed);
        expectMembers(response, pet, { status: undefined, ...listed });
      }
    },
  },
  {
    name: 'getPet returns 404 for an id that no pet has',
    cites: 'interface: getPet (404)',
    readOnly: true,
    run: async (target) => expectError(await send(target, 'GET', `/pets/${unusedId()}`), 404),
  },
  {
    name: 'The code of a 404 for an id that no pet has is pet_not_found',
    cites: 'decision: values of code',
    readOnly: true,
    run: async (target) =>
      expectError(await send(target, 'GET', `/pets/${unusedId()}`), 404, 'pet_not_found'),
  },
  ...Object.entries(noInt64).map(
    ([what, petId]): Check => ({
      name: `getPet returns 404 when petId is ${what}`,
      cites: 'decision: petId that is not an int64',
      readOnly: true,
      run: async (target) =>
        expectError(await send(target, 'GET', `/pets/${petId}`), 404, 'pet_not_found', 'path_not_found'),
    }),
  ),
  {
    name: 'getPet returns a pet whose id is percent-encoded',
    cites: 'decision: notations of petId; RFC 3986 section 2.1',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      const encoded = `${id}`.replaceAll(/\d/g, (digit) => `%3${digit}`);
      const response = await send(target, 'GET', `/pets/${encoded}`);
      expectMembers(response, petOf(response, 200), { id });
    },
  },
  {
    name: 'getPet returns 404 for an id with a sign, zeros or an exponent',
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
