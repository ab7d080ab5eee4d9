import { initContract } from '@ts-rest/core';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import { commonResponses, type Version } from '../version.ts';
import { getPetDeprecation, pets } from './pets.ts';
import { v1 } from './v1.ts';

// What is left of version 1 once the release that follows the sunset date has removed getPet.
const { getPet, ...remaining } = pets;
const c = initContract();
const after = {
  ...v1,
  contract: c.router(
    { pets: c.router(remaining) },
    { pathPrefix: v1.prefix, strictStatusCodes: true, commonResponses },
  ),
} as const satisfies Version;

describe('Version 1 without getPet', () => {
  test('keeps the operation that replaces it', () => {
    const paths = Object.values(after.contract.pets).map(({ path }) => path);
    expect(getPet.metadata.deprecation).toBe(getPetDeprecation);
    expect(paths).toContain(`${v1.prefix}${getPetDeprecation.successor}`);
  });

  test('does not type-check where getPet is still used', () => {
    expectTypeOf(after.contract.pets).not.toHaveProperty('getPet');
    expectTypeOf(after.contract.pets.listPets).toEqualTypeOf(v1.contract.pets.listPets);
    expectTypeOf(after.contract.pets.createPet).toEqualTypeOf(v1.contract.pets.createPet);
  });

  test('has an OpenAPI document without its path, and nothing else missing', () => {
    const { paths: before = {}, components } = openApiDocument();
    const document = openApiDocument({}, after);
    expect(Object.keys(document.paths ?? {})).toEqual(['/pets']);
    expect(document.paths?.['/pets']).toEqual(before['/pets']);
    expect(document.components).toEqual(components);
    expect(JSON.stringify(document.paths)).not.toContain('"deprecated":true');
  });
});
