import { int64Bounds } from '@petstore/contract';
import { type Check, checks, each, expectRefusal, readOnlyChecks } from '../../check.ts';
import { send } from '../../http/send.ts';
import { addPet, examplePet, expectFetched, expectMembers, petOf, petsOf, unusedId } from '../../pets.ts';

const noInt64 = {
  'a word': 'abc',
  'a fraction': '1.5',
  hexadecimal: '0x10',
  'a space': '%20',
  'beyond int64': `${int64Bounds.maximum + 1n}`,
  huge: '9'.repeat(60),
  'an encoded slash': '1%2F2',
  'no percent-encoding': '%ZZ',
};

export const getPet: Check[] = [
  ...checks('interface: getPet (200)', {
    'getPet returns the pet that was added': async (target) => {
      const { id } = await addPet(target, examplePet);
      await expectFetched(target, { ...examplePet, id });
    },
    'getPet returns a new pet although its id was requested before the pet existed': async (target) => {
      const { id } = await addPet(target);
      // These are the ids of the next pets if the service assigns ids in sequence.
      for (let count = 1n; count <= 3n; count += 1n) await send(target, 'GET', `/pets/${BigInt(id) + count}`);
      for (let count = 0; count < 3; count += 1) await expectFetched(target, await addPet(target));
    },
  }),
  ...readOnlyChecks('interface: getPet (200)', {
    'getPet returns each pet as listPets returns it': async (target) => {
      for (const listed of petsOf(await send(target, 'GET', '/pets?limit=3'))) {
        await expectFetched(target, { status: undefined, ...listed });
      }
    },
  }),
  ...readOnlyChecks('interface: getPet (404)', {
    'getPet returns 404 for an id that no pet has': (target) =>
      expectRefusal(target, `/pets/${unusedId()}`, 404),
  }),
  ...readOnlyChecks('decision: values of code', {
    'The code of a 404 for an id that no pet has is pet_not_found': (target) =>
      expectRefusal(target, `/pets/${unusedId()}`, 404, 'pet_not_found'),
  }),
  ...readOnlyChecks(
    'decision: petId that is not an int64',
    each('getPet returns 404 when petId is …', noInt64, (target, petId) =>
      expectRefusal(target, `/pets/${petId}`, 404, 'pet_not_found', 'path_not_found'),
    ),
  ),
  ...checks('decision: notations of petId', {
    'getPet returns a pet whose id is percent-encoded': async (target) => {
      const { id } = await addPet(target);
      const encoded = `${id}`.replaceAll(/\d/g, (digit) => `%3${digit}`);
      const response = await send(target, 'GET', `/pets/${encoded}`);
      expectMembers(response, petOf(response, 200), { id });
    },
    'getPet returns 404 for an id with a sign, zeros or an exponent': async (target) => {
      const { id } = await addPet(target);
      for (const petId of [`+${id}`, `0${id}`, `${id}.0`, `${id}e0`, `%20${id}`, `${id}%20`]) {
        await expectRefusal(target, `/pets/${petId}`, 404, 'pet_not_found');
      }
    },
  }),
];
