import { commonResponses, NewPet, Pet, type Version, v1 } from '@petstore/contract';
import { initContract } from '@ts-rest/core';
import * as z from 'zod/mini';

// A version that differs in one property: the category of a pet has a name in place of an id.
const { categoryId: _replaced, ...others } = NewPet.shape;
const NewPet2 = z
  .object({ ...others, category: z.string() })
  .check(z.meta({ id: 'NewPet', description: 'A pet to add to the catalogue' }));
const Pet2 = z
  .object({ id: Pet.shape.id, ...NewPet2.shape })
  .check(z.meta({ id: 'Pet', description: 'A pet of the catalogue' }));
const Pets2 = z.array(Pet2).check(z.meta({ id: 'Pets', description: 'A page of pets' }));

const { listPets, createPet } = v1.contract.pets;
const c = initContract();
const pets2 = c.router({
  listPets: { ...listPets, path: '/pets', responses: { ...listPets.responses, 200: Pets2 } },
  createPet: {
    ...createPet,
    path: '/pets',
    body: NewPet2,
    responses: { ...createPet.responses, 201: Pet2 },
  },
});

/** A second version of the interface, as it could stand in `src/v2/v2.ts`. It has no getPet. */
export const v2 = {
  prefix: '/v2',
  contract: c.router({ pets: pets2 }, { pathPrefix: '/v2', strictStatusCodes: true, commonResponses }),
  tags: { pets: 'The pets available for adoption' },
} as const satisfies Version;
