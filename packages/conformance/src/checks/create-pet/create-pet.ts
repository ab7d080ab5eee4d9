import { PetStatus, v1 } from '@petstore/contract';
import type { Check } from '../../check.ts';
import { assert } from '../../conformance-error.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { findPage, follow, paginate } from '../../pages.ts';
import { addPet, examplePet, expectEqual, fetchPet, newPet, petOf, post } from '../../pets.ts';

export const createPet: Check[] = [
  {
    name: 'createPet returns 201 with the pet that was sent and an id',
    cites: 'interface: createPet',
    readOnly: false,
    run: async (target) => {
      const response = await post(target, examplePet);
      expectEqual(response, petOf(response, 201), examplePet);
    },
  },
  ...PetStatus.options.map(
    (status): Check => ({
      name: `createPet adds a pet with status ${status}`,
      cites: 'interface: PetStatus',
      readOnly: false,
      run: async (target) => {
        const pet = await addPet(target, { status });
        const fetched = await fetchPet(target, pet);
        assert(
          fetched.status === status,
          `expected status ${status} to be kept, but it was ${fetched.status}`,
        );
      },
    }),
  ),
  {
    name: 'Location is the URL of the new pet',
    cites: 'decision: 201',
    readOnly: false,
    run: async (target) => {
      const response = await post(target, newPet({ name: 'Located' }));
      const location = response.headers.get('location');
      expect(response, location !== null, 'a Location header');
      const fetched = petOf(await send(target, 'GET', follow(response, location)), 200);
      expect(response, fetched.id === petOf(response, 201).id, `the pet at its Location ${location}`);
    },
  },
  {
    name: 'URLs that the service returns have the version prefix',
    cites: 'interface: Versioning',
    readOnly: false,
    run: async (target) => {
      const response = await post(target, newPet({ name: 'Versioned' }));
      const { id } = petOf(response, 201);
      const { pathname } = new URL(follow(response, response.headers.get('location') ?? '/'));
      expect(
        response,
        pathname.endsWith(`${v1.prefix}/pets/${id}`),
        `a Location that ends with ${v1.prefix}/pets/${id}`,
      );
    },
  },
  {
    name: 'Every POST without an Idempotency-Key adds a pet',
    cites: 'decision: repeating a POST',
    readOnly: false,
    run: async (target) => {
      const [first, second] = [await addPet(target), await addPet(target)];
      assert(first.id !== second.id, `expected two pets, but both have the id ${first.id}`);
      await fetchPet(target, first);
      await fetchPet(target, second);
    },
  },
  {
    name: 'The service assigns the id also when the body has one',
    cites: 'decision: members that NewPet does not have',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target, { name: 'First' });
      const response = await send(target, 'POST', '/pets', { json: { id, ...newPet({ name: 'Second' }) } });
      expect(response, petOf(response, 201).id !== id, `another id than ${id}, which was in the body`);
      const first = await fetchPet(target, { id });
      assert(first.name === 'First', `expected the pet ${id} to stay, but its name is now ${first.name}`);
    },
  },
  {
    name: 'createPet ignores members that NewPet does not have',
    cites: 'decision: members that NewPet does not have',
    readOnly: false,
    run: async (target) => {
      const response = await send(target, 'POST', '/pets', {
        json: { ...newPet(), colour: 'red', tags: [{}] },
      });
      petOf(response, 201);
      expect(response, !response.text.includes('colour'), 'a Pet without the unknown members');
    },
  },
  {
    name: 'A status that is left out stays left out',
    cites: 'decision: status left out',
    readOnly: false,
    run: async (target) => {
      const pet = await addPet(target);
      const { pets } = await findPage(target, [pet]);
      const listed = pets.find(({ id }) => id === pet.id);
      for (const seen of [pet, await fetchPet(target, pet), listed ?? pet]) {
        assert(!('status' in seen), `expected no status member, but there was ${seen.status}`);
      }
    },
  },
  {
    name: 'No status filter returns a pet without a status',
    cites: 'decision: status left out',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      for (const status of PetStatus.options) {
        for await (const { pets } of paginate(target, `/pets?limit=100&status=${status}`)) {
          assert(!pets.some((pet) => pet.id === id), `expected status=${status} not to find the pet ${id}`);
        }
      }
    },
  },
];
