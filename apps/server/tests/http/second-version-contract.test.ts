import { type Pets, v1 } from '@petstore/contract';
import { openApiDocument } from '@petstore/contract/openapi';
import { v2 } from '@petstore/test-support/second-version';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';
import { describe, expect, expectTypeOf, test } from 'vitest';

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
    const { components, paths } = openApiDocument({}, v1);
    expect(components?.schemas?.NewPet).toMatchObject({ required: ['name', 'categoryId'] });
    expect(paths).toHaveProperty(['/pets/{petId}']);
  });

  test('shares the Error body and the codes with the first', () => {
    expect(v2.contract.pets.listPets.responses[401]).toBe(v1.contract.pets.listPets.responses[401]);
    expect(document.components?.schemas?.Error).toEqual(openApiDocument().components?.schemas?.Error);
  });
});
