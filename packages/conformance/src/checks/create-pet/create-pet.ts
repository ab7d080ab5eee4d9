import { PetStatus, v1 } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { findPet, paginate, resolve } from '../../pages.ts';
import {
  addPet,
  defaultOf,
  examplePet,
  expectKept,
  expectMembers,
  fetchPet,
  newPet,
  optional,
  petOf,
  post,
} from '../../pets.ts';

export const createPet: Check[] = [
  {
    name: 'createPet returns 201 with the pet that was sent and an id',
    cites: 'interface: createPet',
    readOnly: false,
    run: async (target) => {
      const response = await post(target, examplePet);
      expectMembers(response, petOf(response, 201), examplePet);
    },
  },
  ...PetStatus.options.map(
    (status): Check => ({
      name: `createPet adds a pet with status ${status}`,
      cites: 'interface: PetStatus',
      readOnly: false,
      run: (target) => expectKept(target, { status }),
    }),
  ),
  {
    name: 'Each pet has an id of its own',
    cites: 'interface: Pet (unique identifier)',
    readOnly: false,
    run: async (target) => {
      const first = await addPet(target, { name: 'First' });
      const response = await post(target, newPet({ name: 'Second' }));
      const second = petOf(response, 201);
      expect(response, second.id !== first.id, 'an id that no other pet has', second.id);
      for (const pet of [first, second]) {
        const fetched = await fetchPet(target, pet);
        expectMembers(fetched.response, fetched.pet, pet);
      }
    },
  },
  {
    name: 'An id in the body is not taken for that of the pet',
    cites: 'interface: createPet (id is assigned by the service)',
    readOnly: false,
    run: async (target) => {
      const first = await addPet(target, { name: 'First' });
      const { id } = first;
      const response = await send(target, 'POST', '/pets', { json: { id, ...newPet({ name: 'Second' }) } });
      // The interface document leaves open whether a field that NewPet does not have is an invalid value.
      if (response.status === 400) expectError(response, 400);
      else expect(response, petOf(response, 201).id !== id, 'another id than the one in the body', id);
      const fetched = await fetchPet(target, first);
      expectMembers(fetched.response, fetched.pet, first);
    },
  },
  {
    name: 'createPet ignores members that NewPet does not have',
    cites: 'decision: members that NewPet does not have',
    readOnly: false,
    run: async (target) => {
      const json = { id: 1, ...newPet(), noProperty: 'red', neitherThis: [{}] };
      const response = await send(target, 'POST', '/pets', { json });
      petOf(response, 201);
      expect(response, !response.text.includes('noProperty'), 'a Pet without the unknown members');
    },
  },
  {
    name: 'Location is the URL of the new pet',
    cites: 'decision: 201',
    readOnly: false,
    run: async (target) => {
      const response = await post(target, newPet({ name: 'Located' }));
      const location = resolve(response, response.headers.get('location'));
      expect(response, location !== undefined, 'a Location of this origin', response.headers.get('location'));
      const { pathname } = new URL(location);
      const { id } = petOf(response, 201);
      const path = `${v1.prefix}/pets/${id}`;
      expect(response, pathname.endsWith(path), 'a Location with the version prefix and the id', pathname);
      const fetched = await send(target, 'GET', location);
      expectMembers(fetched, petOf(fetched, 200), { id });
    },
  },
  {
    name: 'Every POST without an Idempotency-Key adds a pet',
    cites: 'decision: repeating a POST',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      const response = await post(target, newPet());
      const second = petOf(response, 201);
      expect(response, second.id !== id, 'another pet than that of the first request', second.id);
      await fetchPet(target, { id });
      await fetchPet(target, second);
    },
  },
  ...optional.map(
    (name): Check => ({
      name: `A ${name} that is left out ${defaultOf(name) === undefined ? 'stays left out' : `is ${defaultOf(name)}`}`,
      cites: 'decision: optional properties',
      readOnly: false,
      run: async (target) => {
        const expected = { [name]: defaultOf(name) };
        const body = JSON.stringify(newPet({ [name]: undefined }));
        await expectKept(target, expected, body);
        const pet = await addPet(target, expected, body);
        const { page, listed = pet } = await findPet(target, pet);
        expectMembers(page.response, listed, expected);
      },
    }),
  ),
  {
    name: 'No status filter returns a pet without a status',
    cites: 'decision: optional properties',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      for (const status of PetStatus.options) {
        for await (const { response, pets } of paginate(target, `/pets?limit=100&status=${status}`)) {
          const isFound = pets.some((pet) => pet.id === id);
          expect(response, !isFound, 'no pet without a status in a listing with a filter', `the pet ${id}`);
        }
      }
    },
  },
];
