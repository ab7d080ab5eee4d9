import { type Check, checks, each, tableOf } from '../../check.ts';
import { expect, expectError } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { type NewPet, PetStatus, version } from '../../interface.ts';
import { expectCount, expectListed, listing, readListing, resolve } from '../../pages.ts';
import {
  addPet,
  defaultOf,
  examplePet,
  expectFetched,
  expectKept,
  expectMembers,
  newPet,
  optional,
  petOf,
  post,
  uniquePet,
  unusedId,
} from '../../pets.ts';

/** The value of each optional property when it is left out. */
const leftOut = Object.fromEntries(
  optional.map((name) => {
    const value = defaultOf(name);
    return [
      `${name} that is left out ${value === undefined ? 'stays left out' : `is ${value}`}`,
      { [name]: value },
    ];
  }),
);

export const createPet: Check[] = [
  ...checks('interface: createPet', {
    'createPet returns 201 with the pet that was sent and an id': async (target) => {
      const response = await post(target, examplePet);
      expectMembers(response, petOf(response, 201), examplePet);
    },
    'createPet adds one pet, and exactly one': async (target) => {
      const pet = uniquePet();
      await expectCount(target, pet, 0);
      await addPet(target, pet, pet);
      await expectCount(target, pet, 1);
    },
    'createPet does not use an id in the body as the id of the pet': async (target) => {
      const first = await addPet(target, { name: 'First' });
      for (const id of [first.id, unusedId()]) {
        const response = await send(target, 'POST', '/pets', { json: { id, ...newPet({ name: 'Second' }) } });
        // The interface document leaves open whether an unknown member is invalid.
        if (response.status === 400) expectError(response, 400);
        else expect(response, petOf(response, 201).id !== id, 'another id than the one in the body', id);
      }
      await expectFetched(target, first);
    },
  }),
  ...checks(
    'interface: PetStatus',
    each('createPet adds a pet with status …', tableOf(PetStatus.options), (target, status) =>
      expectKept(target, { status }),
    ),
  ),
  ...checks('interface: Pet (unique identifier)', {
    'Each pet has an id of its own': async (target) => {
      const first = await addPet(target, { name: 'First' });
      const response = await post(target, newPet({ name: 'Second' }));
      const second = petOf(response, 201);
      expect(response, second.id !== first.id, 'an id that no other pet has', second.id);
      for (const pet of [first, second]) await expectFetched(target, pet);
    },
  }),
  ...checks('decision: members that NewPet does not have', {
    'createPet ignores members that NewPet does not have': async (target) => {
      const json = { id: 1, ...newPet(), noProperty: 'red', neitherThis: [{}] };
      const response = await send(target, 'POST', '/pets', { json });
      petOf(response, 201);
      expect(response, !response.text.includes('noProperty'), 'a Pet without the unknown members');
    },
  }),
  ...checks('decision: 201', {
    'Location is the URL of the new pet': async (target) => {
      const response = await post(target, newPet({ name: 'Located' }));
      const header = response.headers.get('location');
      const location = resolve(response, header);
      expect(response, location !== undefined, 'a Location of this origin', header);
      const { pathname } = new URL(location);
      const { id } = petOf(response, 201);
      const isOfPet = pathname.endsWith(`${version.prefix}/pets/${id}`);
      expect(response, isOfPet, 'a Location with the version prefix and the id', pathname);
      const fetched = await send(target, 'GET', location);
      expectMembers(fetched, petOf(fetched, 200), { id });
    },
  }),
  ...checks('decision: repeating a POST', {
    'Every POST without an Idempotency-Key adds a pet': async (target) => {
      const pet = uniquePet();
      for (let count = 0; count < 2; count += 1) await addPet(target, pet, pet);
      await expectCount(target, pet, 2);
    },
  }),
  ...checks('decision: optional properties', {
    ...each('A …', leftOut, async (target, expected: Partial<NewPet>) => {
      const body = JSON.stringify(newPet());
      await expectKept(target, expected, body);
      const { id } = await addPet(target, expected, body);
      await expectListed(target, { ...expected, id });
    }),
    'No status filter returns a pet without a status': async (target) => {
      const { id } = await addPet(target);
      for (const status of PetStatus.options) {
        await readListing(target, listing(`&status=${status}`), ({ response, pets }) => {
          const isFound = pets.some((pet) => pet.id === id);
          expect(response, !isFound, 'no pet without a status in a listing with a filter', `the pet ${id}`);
        });
      }
    },
  }),
];
