import { describe, expect, expectTypeOf, test } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import type { Version } from '../version.ts';
import { getPetDeprecation } from './pets.ts';
import { v1 } from './v1.ts';

// What is left of version 1 once the release that follows the sunset date has removed getPet.
const { getPet, ...remaining } = v1.contract.pets;
const after = { ...v1, contract: { ...v1.contract, pets: remaining } } as const satisfies Version;

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
    const { paths: { '/pets/{petId}': _removed, ...others } = {}, components } = openApiDocument();
    const document = openApiDocument({}, after);
    expect(document.paths).toEqual(others);
    expect(document.components).toEqual(components);
    expect(JSON.stringify(document.paths)).not.toContain('"deprecated":true');
  });
});
