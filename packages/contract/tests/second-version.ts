import { initContract } from '@ts-rest/core';
import * as z from 'zod/mini';
import { NewPet, Pet } from '../src/v1/pet.ts';
import { pets } from '../src/v1/pets.ts';
import { commonResponses, type Version } from '../src/version.ts';

// A version that differs in one property: the category of a pet has a name in place of an id.
const NewPet2 = z
  .object({ name: NewPet.shape.name, category: z.string(), status: NewPet.shape.status })
  .check(
    z.meta({
      id: 'NewPet',
      description: 'A pet to add to the catalogue',
      example: { name: 'Ñandú', category: 'birds', status: 'available' },
    }),
  );
const Pet2 = z
  .object({ id: Pet.shape.id, ...NewPet2.shape })
  .check(z.meta({ id: 'Pet', description: 'A pet of the catalogue' }));
const Pets2 = z.array(Pet2).check(z.meta({ id: 'Pets', description: 'A page of pets' }));

const c = initContract();
const pets2 = c.router({
  listPets: { ...pets.listPets, responses: { ...pets.listPets.responses, 200: Pets2 } },
  createPet: {
    ...pets.createPet,
    body: NewPet2,
    responses: { ...pets.createPet.responses, 201: Pet2 },
  },
});

/** A second version of the interface, as it could stand in `src/v2/v2.ts`. It has no getPet. */
export const v2 = {
  prefix: '/v2',
  contract: c.router({ pets: pets2 }, { pathPrefix: '/v2', strictStatusCodes: true, commonResponses }),
  tags: { pets: 'The pets available for adoption' },
} as const satisfies Version;
