import { type Check, defineChecks, defineReadOnlyChecks } from '../check.ts';
import { expectError } from '../http/response.ts';
import { send } from '../http/send.ts';
import { addPet, expectFetched, expectMembers, petOf, petsOf } from '../pets/pets.ts';

export const getPet: Check[] = [
  ...defineChecks('interface: getPet (200)', {
    'getPet returns a new pet although its id was requested before the pet existed': async (target) => {
      const { id } = await addPet(target);
      // These are the ids of the next pets if the service assigns ids in sequence.
      for (let count = 1n; count <= 3n; count += 1n) await send(target, 'GET', `/pets/${BigInt(id) + count}`);
      for (let count = 0; count < 3; count += 1) await expectFetched(target, await addPet(target));
    },
  }),
  ...defineReadOnlyChecks('interface: getPet (200)', {
    'getPet returns each pet as listPets returns it': async (target) => {
      for (const listed of petsOf(await send(target, 'GET', '/pets?limit=3'))) {
        // Without a status in the list, getPet must return none.
        await expectFetched(target, { status: undefined, ...listed });
      }
    },
  }),
  ...defineChecks('decision: notations of petId', {
    'getPet returns a pet whose id is percent-encoded': async (target) => {
      const { id } = await addPet(target);
      const encoded = `${id}`.replaceAll(/\d/g, (digit) => `%3${digit}`);
      const response = await send(target, 'GET', `/pets/${encoded}`);
      expectMembers(response, petOf(response, 200), { id });
    },
    'getPet returns 404 for an id with a sign, a leading zero, a fraction, an exponent or a space': async (
      target,
    ) => {
      const { id } = await addPet(target);
      for (const petId of [`+${id}`, `0${id}`, `${id}.0`, `${id}e0`, `%20${id}`, `${id}%20`]) {
        expectError(await send(target, 'GET', `/pets/${petId}`), 404, 'pet_not_found');
      }
    },
  }),
];
