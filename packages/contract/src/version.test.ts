import { type ClientInferRequest, type ClientInferResponses, initContract } from '@ts-rest/core';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { openApiDocument } from './openapi/document.ts';
import { NewPet, Pet, type Pets } from './v1/pet.ts';
import { pets } from './v1/pets.ts';
import { v1 } from './v1/v1.ts';
import { commonResponses, type Version } from './version.ts';

// A second version in which the category of a pet has a name in place of an id.
const NewPet2 = z
  .object({ name: NewPet.shape.name, category: z.string(), status: NewPet.shape.status })
  .check(z.meta({ id: 'NewPet', description: 'A pet to add to the catalogue' }));
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
const v2 = {
  prefix: '/v2',
  contract: c.router({ pets: pets2 }, { pathPrefix: '/v2', strictStatusCodes: true, commonResponses }),
  tags: { pets: 'The pets available for adoption' },
} as const satisfies Version;

describe('A second version beside the first', () => {
  const document = openApiDocument({}, v2);

  test('has paths below its own prefix', () => {
    expect(v2.contract.pets.createPet.path).toBe('/v2/pets');
    expect(v1.contract.pets.createPet.path).toBe('/v1/pets');
  });

  test('accepts its own property and not that of the first', () => {
    expect(v2.contract.pets.createPet.body.safeParse({ name: 'a', category: 'birds' }).success).toBe(true);
    expect(v2.contract.pets.createPet.body.safeParse({ name: 'a', categoryId: 7 }).success).toBe(false);
    expect(v1.contract.pets.createPet.body.safeParse({ name: 'a', categoryId: 7 }).success).toBe(true);
  });

  test('has types of its own', () => {
    type Request2 = ClientInferRequest<typeof v2.contract.pets.createPet>;
    type Page2 = Extract<ClientInferResponses<typeof v2.contract.pets.listPets>, { status: 200 }>['body'];
    expectTypeOf<Request2['body']['category']>().toEqualTypeOf<string>();
    expectTypeOf<Request2['body']>().not.toHaveProperty('categoryId');
    expectTypeOf<Page2[number]['category']>().toEqualTypeOf<string>();
    // What both versions have in common stays common.
    expectTypeOf<Page2[number]['id']>().toEqualTypeOf<Pets[number]['id']>();
  });

  test('has an OpenAPI document of its own, which leaves that of the first as it is', () => {
    expect(Object.keys(document.paths ?? {})).toEqual(['/pets']);
    expect(document.components?.schemas?.NewPet).toMatchObject({ required: ['name', 'category'] });
    expect(document.servers?.[0]?.variables?.base_url?.default).toMatch(/\/v2$/);
    const { components, paths } = openApiDocument();
    expect(components?.schemas?.NewPet).toMatchObject({ required: ['name', 'categoryId'] });
    expect(Object.keys(paths ?? {})).toEqual(['/pets', '/pets/{petId}']);
  });

  test('shares the Error body and the codes with the first', () => {
    expect(v2.contract.pets.listPets.responses[401]).toBe(v1.contract.pets.listPets.responses[401]);
    expect(document.components?.schemas?.Error).toEqual(openApiDocument().components?.schemas?.Error);
  });
});
