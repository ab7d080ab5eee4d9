import { PetStatus } from '@petstore/contract';
import { addPet, fetchPet, newPet, petOf, post } from '../animals.ts';
import { expect } from '../answer.ts';
import type { Check } from '../check.ts';
import { assert } from '../nonconformity.ts';
import { findPage, follow, walk } from '../pages.ts';
import { send } from '../send.ts';

export const createPet: Check[] = [
  {
    name: 'createPet answers 201 with the Pet: what was sent, and an id',
    cites: 'interface: createPet',
    readOnly: false,
    run: async (target) => {
      const answer = await post(target, { name: 'Ñandú', categoryId: 7, status: 'pending' });
      const pet = petOf(answer, 201);
      expect(
        answer,
        pet.name === 'Ñandú' && pet.categoryId === 7 && pet.status === 'pending',
        'the name, categoryId and status that were sent',
      );
    },
  },
  ...PetStatus.options.map(
    (status): Check => ({
      name: `An animal can be added as ${status}`,
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
    name: 'Location names the new animal',
    cites: 'decision: 201',
    readOnly: false,
    run: async (target) => {
      const answer = await post(target, newPet({ name: 'Located' }));
      const location = answer.headers.get('location');
      expect(answer, location !== null, 'a Location header');
      const fetched = petOf(await send(target, 'GET', follow(answer, location)), 200);
      expect(answer, fetched.id === petOf(answer, 201).id, `the animal at its Location ${location}`);
    },
  },
  {
    name: 'The addresses that the service gives carry the version prefix /v1',
    cites: 'interface: Versioning',
    readOnly: false,
    run: async (target) => {
      const answer = await post(target, newPet({ name: 'Versioned' }));
      const { id } = petOf(answer, 201);
      const { pathname } = new URL(follow(answer, answer.headers.get('location') ?? '/'));
      expect(answer, pathname.endsWith(`/v1/pets/${id}`), `a Location that ends with /v1/pets/${id}`);
    },
  },
  {
    name: 'Every POST without an Idempotency-Key adds an animal',
    cites: 'decision: repeating a POST',
    readOnly: false,
    run: async (target) => {
      const [first, second] = [await addPet(target), await addPet(target)];
      assert(first.id !== second.id, `expected two animals, but both have the id ${first.id}`);
      await fetchPet(target, first);
      await fetchPet(target, second);
    },
  },
  {
    name: 'The id is the service’s own, also when the body has one',
    cites: 'decision: members that NewPet does not have',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target, { name: 'First' });
      const answer = await send(target, 'POST', '/pets', { json: { id, ...newPet({ name: 'Second' }) } });
      expect(answer, petOf(answer, 201).id !== id, `another id than ${id}, which was in the body`);
      const first = await fetchPet(target, { id });
      assert(first.name === 'First', `expected the animal ${id} to stay, but its name is now ${first.name}`);
    },
  },
  {
    name: 'Members that NewPet does not have are ignored',
    cites: 'decision: members that NewPet does not have',
    readOnly: false,
    run: async (target) => {
      const answer = await send(target, 'POST', '/pets', {
        json: { ...newPet(), colour: 'red', tags: [{}] },
      });
      petOf(answer, 201);
      expect(answer, !answer.text.includes('colour'), 'a Pet without the unknown members');
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
    name: 'No status filter finds an animal without a status',
    cites: 'decision: status left out',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      for (const status of PetStatus.options) {
        for await (const { pets } of walk(target, `/pets?limit=100&status=${status}`)) {
          assert(
            !pets.some((pet) => pet.id === id),
            `expected status=${status} not to find the animal ${id}`,
          );
        }
      }
    },
  },
];
