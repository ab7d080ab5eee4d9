import { type Check, check, readOnlyCheck, refusals } from '../../check.ts';
import { expectError } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { addPet, examplePet, expectMembers, fetchPet, petOf, petsOf, unusedId } from '../../pets.ts';

const noInt64 = {
  'getPet returns 404 when petId is a word': '/pets/abc',
  'getPet returns 404 when petId is a fraction': '/pets/1.5',
  'getPet returns 404 when petId is hexadecimal': '/pets/0x10',
  'getPet returns 404 when petId is a space': '/pets/%20',
  'getPet returns 404 when petId is beyond int64': '/pets/9223372036854775808',
  'getPet returns 404 when petId is huge': `/pets/${'9'.repeat(60)}`,
  'getPet returns 404 when petId is an encoded slash': '/pets/1%2F2',
  'getPet returns 404 when petId is no percent-encoding': '/pets/%ZZ',
};

export const getPet: Check[] = [
  check('getPet returns the pet that was added', 'interface: getPet (200)', async (target) => {
    const added = await addPet(target, examplePet);
    const { response, pet } = await fetchPet(target, added);
    expectMembers(response, pet, { ...examplePet, id: added.id });
  }),
  readOnlyCheck('getPet returns what listPets returns', 'interface: getPet (200)', async (target) => {
    for (const listed of petsOf(await send(target, 'GET', '/pets?limit=3'))) {
      const { response, pet } = await fetchPet(target, listed);
      expectMembers(response, pet, { status: undefined, ...listed });
    }
  }),
  readOnlyCheck('getPet returns 404 for an id that no pet has', 'interface: getPet (404)', async (target) =>
    expectError(await send(target, 'GET', `/pets/${unusedId()}`), 404),
  ),
  readOnlyCheck(
    'The code of a 404 for an id that no pet has is pet_not_found',
    'decision: values of code',
    async (target) => expectError(await send(target, 'GET', `/pets/${unusedId()}`), 404, 'pet_not_found'),
  ),
  ...refusals('decision: petId that is not an int64', noInt64, 404, 'pet_not_found', 'path_not_found'),
  check(
    'getPet returns a pet whose id is percent-encoded',
    'decision: notations of petId; RFC 3986 section 2.1',
    async (target) => {
      const { id } = await addPet(target);
      const encoded = `${id}`.replaceAll(/\d/g, (digit) => `%3${digit}`);
      const response = await send(target, 'GET', `/pets/${encoded}`);
      expectMembers(response, petOf(response, 200), { id });
    },
  ),
  check(
    'getPet returns 404 for an id with a sign, zeros or an exponent',
    'decision: notations of petId',
    async (target) => {
      const { id } = await addPet(target);
      for (const petId of [`+${id}`, `0${id}`, `${id}.0`, `${id}e0`, `%20${id}`, `${id}%20`]) {
        expectError(await send(target, 'GET', `/pets/${petId}`), 404, 'pet_not_found');
      }
    },
  ),
];
